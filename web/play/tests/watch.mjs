// Counts what a page has asked for and what has come, so that a test can wait until work is over.

/**
 * Counts from the first script of the page on, in `window.work`. The page runs it.
 *
 *     packing      states that are being packed for the address, or unpacked
 *     asked        messages that asked the workers of the room Balls for balls or a picture
 *     answered     their answers
 *     seconds      seconds of a level that were simulated and shown
 */
export function watch() {
  const work = (window.work = { packing: 0, asked: 0, answered: 0, seconds: 0 });
  const ASKS = { balls: ["setup", "step"], painter: ["draw"] };
  const ANSWERS = { balls: ["frame", "failed"], painter: ["drawn", "failed"] };

  window.Worker = class Worker extends window.Worker {
    #name = "";
    #passed = 0;
    constructor(url, options) {
      super(url, options);
      this.#name = options?.name ?? "";
      this.addEventListener("message", ({ data }) => {
        if (ANSWERS[this.#name]?.includes(data.kind)) work.answered++;
        if (this.#name === "level" && data.kind === "frame") work.seconds += this.#passed;
      });
    }
    postMessage(message, ...rest) {
      super.postMessage(message, ...rest);
      if (ASKS[this.#name]?.includes(message.kind)) work.asked++;
      if (this.#name === "level" && message.kind === "frame") this.#passed = message.passed;
    }
  };

  const { arrayBuffer } = Response.prototype;
  Response.prototype.arrayBuffer = async function () {
    work.packing++;
    try {
      return await arrayBuffer.call(this);
    } finally {
      work.packing--;
    }
  };
}
