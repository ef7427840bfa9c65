// The words of the shell.

import type { Text } from "./language";

export const words = {
  title: ["carom playground", "carom 演练场"],
  rooms: ["Rooms", "房间"],
  skip: ["Skip to the figure", "跳到图形"],
  home: ["carom, start page", "carom 首页"],
  undo: ["Undo", "撤销"],
  redo: ["Redo", "重做"],
  reset: ["Reset", "重置"],
  share: ["Copy link", "复制链接"],
  save: ["Save", "保存"],
  open: ["Open a file", "打开文件"],
  opening: ["{name} is being read…", "正在读取 {name}…"],
  cancel: ["Cancel", "取消"],
  close: ["Close", "关闭"],
  reload: ["Reload the page", "重新加载页面"],
  saveScene: ["Scene as JSON", "场景 JSON"],
  saveSvg: ["Picture as SVG", "图片 SVG"],
  saveState: ["Room as JSON", "房间状态 JSON"],
  dark: ["Dark theme", "深色主题"],
  light: ["Light theme", "浅色主题"],
  language: ["中文", "English"],
  figure: ["Figure", "图形"],
  tools: ["Tools", "工具"],
  text: ["Explanation and controls", "说明与控制"],
  copied: ["The link is copied.", "链接已复制。"],
  copyFailed: ["The link stands in the address bar: copy it from there.", "链接在地址栏中，请从那里复制。"],
  tooLong: [
    "This state needs {size} bytes. A link holds 8192, so the state is saved as a file. Drop the file here to " +
      "restore it.",
    "此状态需要 {size} 字节。链接最多 8192 字节，因此保存为文件。把文件拖回此处即可恢复。",
  ],
  muchTooLong: [
    "This state has {size} MB. A link holds 8192 bytes, so the state is saved as a file. Drop the file here to " +
      "restore it.",
    "此状态有 {size} MB。链接最多 8192 字节，因此保存为文件。把文件拖回此处即可恢复。",
  ],
  badLink: [
    "The link is damaged: its state cannot be read. The room starts from the beginning.",
    "链接已损坏，无法读取状态。房间从头开始。",
  ],
  tooLarge: [
    "The files have {size} MB together. This page opens up to {most} MB: use the command line for more.",
    "文件共 {size} MB。此页面最多打开 {most} MB，更大的文件请使用命令行。",
  ],
  unrelated: [
    "Only {name} is shown. No file was found that refers to {others}. Open it separately, with the files that it needs.",
    "只显示 {name}。没有找到引用 {others} 的文件。如需查看，请连同它所需的文件单独打开。",
  ],
  comma: [", ", "、"],
  badState: ["The state in the file cannot be used: {reason}", "无法使用文件中的状态：{reason}"],
  damagedRoom: [
    "The saved room {name} is damaged: {reason}. Save it again with “Save”, “Room as JSON”.",
    "保存的房间 {name} 已损坏：{reason}。请用“保存”中的“房间状态 JSON”重新保存。",
  ],
  noReader: [
    "The reader of files could not be loaded. Check the connection, then reload the page.",
    "文件读取程序加载失败。请检查网络连接，然后重新加载页面。",
  ],
  noWorker: [
    "The worker of this room could not be loaded. Check the connection, then reload the page.",
    "此房间的 worker 加载失败。请检查网络连接，然后重新加载页面。",
  ],
  badRoom: ["The file belongs to the room “{room}”.", "该文件属于房间“{room}”。"],
  noFiles: ["This room opens no files except its own saved state.", "此房间只能打开自己保存的状态。"],
  loadFailed: ["The library could not be loaded: {reason}", "库加载失败：{reason}"],
  roomFailed: ["This room could not be loaded: {reason}", "房间加载失败：{reason}"],
} as const satisfies Record<string, Text>;
