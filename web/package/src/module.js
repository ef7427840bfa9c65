// Calls a wasm module: writes numbers into its input buffer, reads its output buffer, turns errors into exceptions.

/** Status of an export that failed. */
const FAILED = 2;

const decoder = /* @__PURE__ */ new TextDecoder();

/** A wasm module of carom. The first use starts it. */
export class Module {
  /** @param {() => WebAssembly.Exports} start */
  constructor(start) {
    this._start = start;
    this._exports = null;
  }

  /** Returns the exports. */
  get exports() {
    return (this._exports ??= this._start());
  }

  /** Sets the exports of an instance. */
  use(exports) {
    this._exports = exports;
  }

  /** Returns true if the module runs. */
  get started() {
    return this._exports !== null;
  }

  /** Calls an export. Returns true or false, or throws the message of the library. */
  call(name, ...numbers) {
    return this.check(this.exports[name](...numbers));
  }

  /** Returns a status as true or false, or throws. */
  check(status) {
    if (status === FAILED) this.fail();
    return status !== 0;
  }

  fail() {
    const error = new Error(this.text());
    const vertex = this.exports.failed_vertex();
    if (vertex >= 0) error.vertex = vertex;
    throw error;
  }

  /** Writes numbers into the input buffer. */
  input(numbers) {
    const { exports } = this;
    // The call may make the memory grow, which detaches views of it.
    if (numbers.buffer === exports.memory.buffer) numbers = numbers.slice();
    const address = exports.input(numbers.length);
    new Float64Array(exports.memory.buffer, address, numbers.length).set(numbers);
  }

  /** Writes bytes. */
  bytesInput(bytes) {
    const { exports } = this;
    const address = exports.bytes_input(bytes.length);
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  }

  /** Returns a view of the output buffer. It is valid until the next call. */
  output() {
    const { exports } = this;
    return new Float64Array(exports.memory.buffer, exports.output(), exports.output_length());
  }

  /** Returns a copy of the bytes. */
  bytes() {
    const { exports } = this;
    return new Uint8Array(exports.memory.buffer, exports.bytes(), exports.bytes_length()).slice();
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
