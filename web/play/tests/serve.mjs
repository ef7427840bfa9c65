// Serves a folder on the loopback interface for the tests.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

/**
 * Serves `folder`, each file after `delay` milliseconds. Returns its address, a function that counts the requests without
 * a whole answer, and one that ends it.
 */
export async function serve(folder, delay = 0) {
  let open = 0;
  const server = createServer(async (request, response) => {
    open++;
    response.on("close", () => open--);
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    try {
      const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
      const body = await readFile(file);
      if (delay > 0) await new Promise((done) => setTimeout(done, delay));
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${server.address().port}/`;
  return { address, open: () => open, close: () => server.close() };
}
