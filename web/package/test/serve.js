// Serves a folder to the browser of a test.

import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Returns the address of a folder, and a function that ends the server. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      const body = readFileSync(join(folder, pathname === "/" ? "index.html" : pathname));
      response.writeHead(200, { "content-type": TYPES[extname(pathname) || ".html"] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/`, end: () => server.close() };
}
