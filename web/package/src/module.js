// Calls a wasm module: writes numbers into its input buffer, reads its output buffer, turns errors into exceptions.

/** Status of an export that failed. */
const FAILED = 2;

const decoder = /* @__PURE__ */ new TextDecoder();

/** Returns a message in which numbers are text. The module writes a number as U+0001 and its bits in hexadecimal. */
function withNumbers(message) {
  return message.replace(/\x01([0-9a-f]{16})/g, (_, bits) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    return view.getFloat64(0);
  });
}

/** Returns the address of a buffer, or throws if there is none. */
function fits(address, length) {
  if (address === 0) throw new RangeError(`the input of ${length} items does not fit into the memory: use less`);
  return address >>> 0; // Above 2 GB an address is negative as a signed number.
}

/** A wasm module of carom. The first use starts it. */
export class Module {
  /**
   * @param {() => WebAssembly.Exports} start
   * @param {(message: string) => string} inScript replaces names of the Rust library in a message
   */
  constructor(start, inScript = (message) => message) {
    this._start = start;
    this._inScript = inScript;
    this._exports = null;
    /** Counts the instances: the module can be loaded again after a trap. */
    this.instance = 0;
  }

  /** Returns the exports. */
  get exports() {
    if (this._exports === null) this.use(this._start());
    return this._exports;
  }

  /** Sets the exports of an instance. */
  use(exports) {
    this._exports = exports;
    this.instance++;
  }

  /** Returns true if the module runs. */
  get started() {
    return this._exports !== null;
  }

  /** Calls an export. Returns true or false, or throws the message of the library. */
  call(name, ...numbers) {
    const { exports } = this;
    let status;
    try {
      status = exports[name](...numbers);
    } catch (error) {
      this.rethrow(error);
    }
    return this.check(status);
  }

  /** Throws the error of an export. Stops the module first if the export was stopped inside. */
  rethrow(error) {
    if (error instanceof WebAssembly.RuntimeError || this._isLocked()) this.stop(error);
    throw error;
  }

  /** Returns true if a stopped export holds a lock. A stack overflow inside an export is no trap for the engine. */
  _isLocked() {
    try {
      this.exports.output_length();
      return false;
    } catch (error) {
      // Another error says nothing: the stack is too full for the probe. The next call finds the closed lock.
      return error instanceof WebAssembly.RuntimeError;
    }
  }

  /** Marks the module as stopped by a trap. It holds locks that nobody opens, so no later call may run. */
  stop(cause) {
    const message = `carom was stopped by a trap (${cause.message}), mostly because the memory is full: await ready() or init()`;
    this._exports = null;
    this._start = () => {
      throw new Error(message, { cause });
    };
    this._start();
  }

  /** Returns a status as true or false, or throws. */
  check(status) {
    if (status === FAILED) this.fail();
    return status !== 0;
  }

  fail() {
    const error = new Error(this.message(this.bytes()));
    const vertex = this.exports.failed_vertex();
    if (vertex >= 0) error.vertex = vertex;
    throw error;
  }

  /** Sets the length of a buffer with an export. Returns the address of the buffer. */
  _resize(resize, length) {
    let address;
    try {
      address = resize(length);
    } catch (error) {
      this.rethrow(error);
    }
    return fits(address, length);
  }

  /** Writes numbers into the input buffer. */
  input(numbers) {
    const { exports } = this;
    // The call may make the memory grow, which detaches views of it.
    if (numbers.buffer === exports.memory.buffer) numbers = numbers.slice();
    const address = this._resize(exports.input, numbers.length);
    new Float64Array(exports.memory.buffer, address, numbers.length).set(numbers);
  }

  /** Writes bytes. */
  bytesInput(bytes) {
    const { exports } = this;
    if (bytes.buffer === exports.memory.buffer) bytes = bytes.slice();
    const address = this._resize(exports.bytes_input, bytes.length);
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  }

  /** Returns a view of the output buffer. It is valid until the next call. */
  output() {
    const { exports } = this;
    return new Float64Array(exports.memory.buffer, exports.output() >>> 0, exports.output_length());
  }

  /** Returns a copy of the bytes. */
  bytes() {
    const { exports } = this;
    return new Uint8Array(exports.memory.buffer, exports.bytes() >>> 0, exports.bytes_length()).slice();
  }

  /** Returns a message: its numbers are text, and its names are those of the package. */
  message(bytes) {
    return this._inScript(withNumbers(decoder.decode(bytes)));
  }

  /** Returns the bytes as text. */
  text() {
    return decoder.decode(this.bytes());
  }

  /** Returns a view of a column at an address. */
  column(kind, address, length) {
    return new kind(this.exports.memory.buffer, address, length);
  }
}

/** Reads numbers in order. */
export class Cursor {
  constructor(numbers) {
    this.numbers = numbers;
    this.index = 0;
  }

  next() {
    return this.numbers[this.index++];
  }

  flag() {
    return this.next() !== 0;
  }

  /** Returns a number, or null for NaN. */
  optional() {
    const number = this.next();
    return Number.isNaN(number) ? null : number;
  }

  vec() {
    return [this.next(), this.next()];
  }

  /** Returns as many items as the next number says. */
  list(read) {
    const items = [];
    for (let count = this.next(); count > 0; count--) items.push(read(this));
    return items;
  }

  ring() {
    return this.list((cursor) => cursor.vec());
  }

  get done() {
    return this.index >= this.numbers.length;
  }
}
