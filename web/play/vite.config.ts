import { defineConfig } from "vite";

export default defineConfig({
  // Relative paths: the built page works under any folder of any host.
  base: "./",
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  worker: { format: "es" },
  server: { host: "127.0.0.1", fs: { allow: ["../.."] } },
});
