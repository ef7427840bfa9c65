// The words of the room.

import type { Text } from "../../shell/language";

/** Names of the colliders of the level to begin with. Their ids are English and have a number: `ground 2`. */
export const ownNames = {
  ground: ["ground", "地面"],
  pit: ["pit", "坑"],
  wall: ["wall", "墙"],
  step: ["step", "台阶"],
  ledge: ["ledge", "平台边"],
  slope: ["slope", "斜坡"],
  platform: ["platform", "平台"],
  stone: ["stone", "石头"],
  hill: ["hill", "小山"],
  steep: ["steep", "陡坡"],
  lift: ["lift", "升降台"],
  crate: ["crate", "木箱"],
  roof: ["roof", "屋顶"],
  "thin wall": ["thin wall", "薄墙"],
  lamp: ["lamp", "灯"],
  boulder: ["boulder", "巨石"],
  star: ["star", "星形"],
  ring: ["ring", "圆环"],
  beam: ["beam", "横梁"],
} as const satisfies Record<string, Text>;

export type OwnName = keyof typeof ownNames;

export const words = {
  title: ["Walk, shoot, light", "行走、射击、光照"],
  intro: [
    "Walk through a level. The surfaces that block the <a>mover</a> turn <b>orange</b>. A bullet is tested " +
      "along its whole way, so no wall is too thin. The light fills the region that the mover can see. Platforms with " +
      "a <gap>green</gap> edge are solid from above only.",
    "在关卡中行走。挡住<a>移动体</a>的表面变为<b>橙色</b>。子弹沿整条路径检测，再薄的墙也不会穿过。光照充满移动体能看到的区域。<gap>绿</gap>边的平台只有从上面才是实心的。",
  ],
  level: ["Level", "关卡"],
  yours: ["Your file: {name}", "你的文件：{name}"],
  standing: ["It stands on <b>{id}</b>.", "它站在 <b>{id}</b> 上。"],
  air: ["It is in the air.", "它在空中。"],
  free: ["It moves freely.", "它自由移动。"],
  blocked: ["<b>{id}</b> blocks it ({kind}).", "<b>{id}</b> 挡住了它（{kind}）。"],
  wall: ["wall", "墙"],
  floor: ["floor", "地面"],
  ceiling: ["ceiling", "天花板"],
  hit: [
    "The last bullet hit <overlap>{id}</overlap>. Hits: {hits}.",
    "最后一颗子弹击中 <overlap>{id}</overlap>。命中：{hits}。",
  ],
  noHit: ["No bullet has hit anything yet.", "还没有子弹击中任何东西。"],
  passed: [
    "Sampled bullets that passed through a surface: <pruned>{n}</pruned>.",
    "逐帧采样的子弹穿过表面的次数：<pruned>{n}</pruned>。",
  ],
  light: ["Light", "光照"],
  range: ["Range of the light", "光照范围"],
  gravity: ["Gravity", "重力"],
  sampled: ["Add bullets that are tested once a frame", "加入每帧只测试一次的子弹"],
  size: ["Height of the mover", "移动体高度"],
  zoom: ["Height of the view", "视野高度"],
  left: ["Left", "左"],
  right: ["Right", "右"],
  down: ["Down", "下"],
  jump: ["Jump", "跳"],
  shoot: ["Shoot", "射击"],
  figure: ["Level. Arrow keys or A and D walk, Space jumps, F shoots.", "关卡。方向键或 A、D 行走，空格跳跃，F 射击。"],
  keys: [
    "Keys: arrows or WASD walk, Space jumps, Down drops through a platform, F or a click shoots. Drop a Tiled " +
      "map with its tilesets, an SVG, GeoJSON, CSV, PNG or scene file to walk in it.",
    "按键：方向键或 WASD 行走，空格跳跃，向下键穿过平台，F 或点击射击。可拖入 Tiled 地图及其图块集、SVG、GeoJSON、CSV、PNG 或场景文件。",
  ],
  solid: ["Make all tiles solid", "所有图块设为实心"],
  building: ["{name}: {share} % of the level is built.", "{name}：关卡已构建 {share} %。"],
  noCanvas: [
    "This browser cannot draw in a worker (OffscreenCanvas with a 2D context is missing). This room needs that.",
    "此浏览器不能在 worker 中绘制（缺少带 2D 上下文的 OffscreenCanvas），而此房间需要它。",
  ],
  broken: ["The worker of the level failed.", "关卡的 worker 出错。"],
  ended: ["The level ended before its picture was ready.", "图片完成之前关卡已结束。"],
  notFetched: [
    "The file {file} of this level did not arrive ({reason}). Check the connection, then try again.",
    "未能取得此关卡的文件 {file}（{reason}）。请检查网络连接，然后重试。",
  ],
  again: ["Try again", "重试"],
  empty: ["{name} has no shapes.", "{name} 中没有形状。"],
} as const satisfies Record<string, Text>;
