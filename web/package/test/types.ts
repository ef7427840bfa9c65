// Compiled by `npm run types`, not run: the declarations serve typical programs and refuse wrong ones.

import { BroadPhase, Mover, Particles, World, collide, decompose, explain, ready, timeOfImpact } from "carom";
import type { Contact, Id, Scene, Shape } from "carom";
import { init, read } from "carom/files";
import * as narrow from "carom/narrow";
import * as slim from "carom/slim";
import level from "./level.json" with { type: "json" };

const shape: Shape = { rectangle: { width: 2, height: 1 } };
const world = new World({ broadPhase: "sweep-insertion" });
const id: Id = world.add(shape, { x: 1, angle: 0.5, layers: ["player", 3], oneWay: [0, 1] });
world.moveAll(new Float64Array(3));
world.moveAll(new Float32Array(3), [id]);
JSON.stringify(world.contacts.toJSON()[0]?.depth);
for (const contact of world.contacts) {
  const { a, mtv }: Contact = contact;
  world.move(a, mtv[0], mtv[1]);
}
const depths: Float64Array = world.contacts.depths;
const hit = world.rayCast(0, 0, 1, 0, { layers: "wall", radius: 0.5 });
if (hit) world.remove(hit.id);
const scene: Scene = { carom: 1, colliders: [{ shape, position: [1, 2], rotation: 90 }] };
world.addScene(scene).names.get("a");
new Particles(world, { gravity: [0, -9.8] }).add(id, { mass: 2 });
const mover = new Mover(world, id, { up: [0, 1] });
mover.move(1, 0).translation[0].toFixed();
mover.dispose();
new Particles(world).dispose();
new BroadPhase("sweep", { record: true }).steps.length;
timeOfImpact({ shape, x: 1 }, { dx: 1 }, shape)?.time.toFixed();
const [axis] = explain(shape, { shape, angle: 1 }).axes;
if (axis?.source === "edge of a") axis.projectionA[0].toFixed();
decompose(
  {
    polygon: {
      points: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    },
  },
  { optimal: true },
);
collide(shape, shape)?.points[0]?.position;
await ready();
await init();
const { scene: read_ } = read(new Uint8Array(), { solid: true });
world.addScene(read_);
await slim.init(new URL("https://example.org/carom.wasm"));
narrow.intersects({ circle: { radius: 1 } }, { shape: { circle: { radius: 1 } }, x: 2 });
narrow.collide({ circle: { radius: 1 } }, { circle: { radius: 1 } }, 0.5)?.depth.toFixed();
// TypeScript infers `number` and `number[]` for files and variables.
world.addScene(level);
const variable = { carom: 1, y: "up", colliders: [{ shape, position: [1, 2], layers: ["a", 3], one_way: [0, 1] }] };
world.addScene(variable);
const triangle = {
  polygon: {
    points: [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  },
};
const options = { x: 1, layers: ["a", 2], mask: null, oneWay: [0, 1] };
world.add(triangle, options);
world.add(shape, world.get(id));
world.setLayers(id, { mask: null });
world.get(id).mask?.[0]?.toString();
world.get(id).oneWay?.[0].toFixed();
world.nearest(0, 0, { count: 2, maxDistance: 5 })[0]?.distance.toFixed();
world.clear();
read(new ArrayBuffer(8), { files: { "a.tsx": new ArrayBuffer(8), "b.tsx": "<tileset/>" } });

// @ts-expect-error an unknown kind
world.add({ sphere: { radius: 1 } });
// @ts-expect-error a mistyped option
world.add(shape, { rotation: 90 });
// @ts-expect-error masks are not convex
narrow.intersects({ mask: { rows: ["#"] } }, shape);
// @ts-expect-error a scene without a version
world.addScene({ colliders: [] });
// @ts-expect-error bytes are no scene
world.addScene(new Uint8Array(8));
// @ts-expect-error await is missing
world.addScene(Promise.resolve(scene));
// @ts-expect-error an unknown broad phase
new World({ broadPhase: "octree" });
export { depths };
