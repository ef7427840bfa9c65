// The methods of the room. Each changes one thing of the one before it.

import type { BroadPhaseName } from "carom";
import type { Text } from "../../shell/language";

export type MethodId = Exclude<BroadPhaseName, "grid">;

export interface Method {
  readonly id: MethodId;
  readonly name: Text;
  /** The one change, in a sentence or two. */
  readonly change: Text;
  /** The most balls. With more, a search or the first sort takes too long to watch. */
  readonly most: number;
  /** What its sorted lists contain, if it has some. */
  readonly lists: "none" | "begins" | "both ends";
  /** True if it reports every test. */
  readonly observed: boolean;
}

export const METHODS: readonly Method[] = [
  {
    id: "brute",
    name: ["all pairs", "所有配对"],
    change: [
      "Tests every box against every other box. The count never depends on where the balls are.",
      "每个盒子与其余每个盒子比较。次数与小球的位置无关。",
    ],
    most: 10_000,
    lists: "none",
    observed: true,
  },
  {
    id: "sweep",
    name: ["sweep", "扫描"],
    change: [
      "Sorts the boxes by their left edge. A line sweeps to the right. A box is <tested>tested</tested> only until the next box begins beyond its right edge. All later boxes are <pruned>pruned</pruned>.",
      "按左边缘排序，一条线向右扫描。每个盒子只<tested>比较</tested>到下一个盒子从其右边缘之后开始为止，其后的都被<pruned>剪除</pruned>。",
    ],
    most: 100_000,
    lists: "begins",
    observed: true,
  },
  {
    id: "sweep-insertion",
    name: ["kept order", "保留顺序"],
    change: [
      "The sweep again, but the order of the last step is kept. Balls move little, so a few swaps of neighbours restore it.",
      "仍是扫描，但保留上一步的顺序。小球移动很少，交换几次相邻项就能恢复顺序。",
    ],
    most: 20_000,
    lists: "begins",
    observed: true,
  },
  {
    id: "sweep-swaps",
    name: ["both axes", "两个轴"],
    change: [
      "Keeps both edges of each box sorted on both axes, and keeps the pairs. A pair is <tested>tested</tested> only if a begin swaps with an end. Hollow tiles are ends.",
      "在两个轴上保持每个盒子的两条边有序，并保留配对。只有起点与终点交换时才<tested>比较</tested>。空心格是终点。",
    ],
    most: 10_000,
    lists: "both ends",
    observed: true,
  },
  {
    id: "strips",
    name: ["strips", "条带"],
    change: [
      "Cuts the box into strips and sweeps in each. So balls far above or below are never met. One instruction compares four boxes; it counts as one test.",
      "把区域切成条带并分别扫描，上下相距远的小球不会相遇。一条指令比较四个盒子，计为一次。",
    ],
    most: 100_000,
    lists: "none",
    observed: false,
  },
  {
    id: "bvh",
    name: ["tree", "树"],
    change: [
      "A tree of boxes, eight children in each. If two boxes of the tree are apart, all their children are <pruned>pruned</pruned>.",
      "盒子组成的树，每个节点八个子节点。树中两个盒子不相交时，其全部子节点都被<pruned>剪除</pruned>。",
    ],
    most: 100_000,
    lists: "none",
    observed: false,
  },
  {
    id: "auto",
    name: ["auto", "自动"],
    change: [
      "Chooses one of these by the number of boxes and by how much they move.",
      "按盒子的数量和移动情况选择其中一种。",
    ],
    most: 100_000,
    lists: "none",
    observed: false,
  },
];

export function methodOf(id: string): Method {
  const found = METHODS.find((method) => method.id === id);
  if (!found) throw new Error(`unknown method: ${id}`);
  return found;
}
