// Makes the page slow on purpose. A test that reads the page before its work is over then fails each time, not rarely.
//
//     CAROM_PLAY_DELAY=200 npm test     files, frames, decoded images and answers of workers come 200 ms later
//     CAROM_PLAY_SLOW=6 npm test        the main thread of the page takes 6 times as long

/** Milliseconds by which all that the page waits for comes later. */
export const DELAY = Number(process.env.CAROM_PLAY_DELAY ?? 0);

/** Factor by which the main thread of the page is slower. */
export const SLOW = Number(process.env.CAROM_PLAY_SLOW ?? 1);

/** Delays a page that is not loaded yet. */
export async function slowDown(page, delay = DELAY) {
  if (delay > 0) await page.addInitScript(delayAnswers, delay);
  if (SLOW === 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW });
}

/** Replaces functions of the page by those that answer later. The page runs it before its own scripts. */
function delayAnswers(milliseconds) {
  const { setTimeout, clearTimeout } = window;
  const later = (call) => setTimeout(call, milliseconds);

  const NativeWorker = window.Worker;
  window.Worker = class Worker extends NativeWorker {
    #ended = false;
    constructor(...all) {
      super(...all);
      const copies = {
        message: ({ data }) => new MessageEvent("message", { data }),
        error: ({ message, filename, lineno }) => new ErrorEvent("error", { message, filename, lineno }),
      };
      for (const [kind, copy] of Object.entries(copies)) {
        // The first listener hides the event from the others, and gives them a copy later.
        this.addEventListener(kind, (event) => {
          if (!event.isTrusted) return;
          event.stopImmediatePropagation();
          later(() => this.#ended || this.dispatchEvent(copy(event)));
        });
      }
    }
    terminate() {
      this.#ended = true;
      super.terminate();
    }
  };

  const nextFrame = window.requestAnimationFrame;
  const noFrame = window.cancelAnimationFrame;
  const cancels = new Map();
  let last = 0;
  window.requestAnimationFrame = (call) => {
    const id = ++last;
    const ask = () => {
      const frame = nextFrame((time) => {
        cancels.delete(id);
        call(time);
      });
      cancels.set(id, () => noFrame(frame));
    };
    const timer = later(ask);
    cancels.set(id, () => clearTimeout(timer));
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    cancels.get(id)?.();
    cancels.delete(id);
  };

  // Files that are read, images that are decoded, states that are packed.
  for (const [owner, names] of [
    [Blob.prototype, ["text", "arrayBuffer"]],
    [Response.prototype, ["arrayBuffer"]],
    [HTMLImageElement.prototype, ["decode"]],
    [window, ["createImageBitmap"]],
  ]) {
    for (const name of names) {
      const native = owner[name];
      owner[name] = async function (...all) {
        await new Promise(later);
        return native.apply(this, all);
      };
    }
  }
}
