// Draws many balls with one WebGL2 call, on a canvas of the page or of a worker.
//
// Each ball is a point sprite. Instances of a quad look the same, but without a GPU each instance costs as much as a
// draw call: 100 000 of them took seconds, and the figure stayed blank for so long.

/** Colours as `#rrggbb`. */
export interface Colours {
  plain: string;
  touched: string;
}

const VERTEX = `#version 300 es
layout(location = 0) in vec2 center;
layout(location = 1) in float touching;
uniform vec4 view; // scale x, y and offset x, y: from the scene to clip space
uniform float radius; // in pixels
flat out float mark;
flat out float softness;
void main() {
  softness = min(1.0, 1.5 / radius);
  mark = touching;
  gl_Position = vec4(center * view.xy + view.zw, 0.0, 1.0);
  gl_PointSize = 2.0 * radius;
}`;

/** The smallest radius that is drawn, in pixels. */
const SMALLEST = 0.75;

const FRAGMENT = `#version 300 es
precision mediump float;
flat in float mark;
flat in float softness;
uniform vec3 plain;
uniform vec3 touched;
out vec4 color;
void main() {
  float inside = 1.0 - smoothstep(1.0 - softness, 1.0, length(2.0 * gl_PointCoord - 1.0));
  if (inside <= 0.0) discard;
  color = vec4(mark > 0.5 ? touched : plain, 1.0) * inside;
}`;

export class FigureGl {
  private readonly gl: WebGL2RenderingContext;
  private readonly program: WebGLProgram;
  private readonly buffers: [WebGLBuffer, WebGLBuffer];
  private readonly uniforms: Record<"view" | "radius" | "plain" | "touched", WebGLUniformLocation | null>;
  /** The largest size of a point in pixels. WebGL2 promises only 1. */
  private readonly largest: number;
  private count = 0;

  /** Throws if the browser has no WebGL2. */
  constructor(private readonly canvas: HTMLCanvasElement | OffscreenCanvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true }) as WebGL2RenderingContext | null;
    if (!gl) throw new Error("WebGL2 is missing");
    this.gl = gl;
    this.largest = (gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE) as Float32Array)[1]!;
    this.program = link(gl);
    gl.useProgram(this.program);
    gl.bindVertexArray(gl.createVertexArray());
    this.buffers = [gl.createBuffer(), gl.createBuffer()];
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const place = (name: string) => gl.getUniformLocation(this.program, name);
    this.uniforms = {
      view: place("view"),
      radius: place("radius"),
      plain: place("plain"),
      touched: place("touched"),
    };
  }

  setColours({ plain, touched }: Colours): void {
    this.gl.uniform3fv(this.uniforms.plain, rgb(plain));
    this.gl.uniform3fv(this.uniforms.touched, rgb(touched));
  }

  /** Sets the size in device pixels. */
  resize(width: number, height: number): void {
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.gl.viewport(0, 0, width, height);
  }

  /** Draws the balls that were uploaded last. `border` is in device pixels. Throws if the balls are too large. */
  draw(side: number, radius: number, border: number): void {
    const { gl, uniforms } = this;
    const { width, height } = this.canvas;
    const size = Math.max(1, Math.min(width, height) - 2 * border);
    const drawn = Math.max((radius / side) * size, SMALLEST);
    if (2 * drawn > this.largest)
      throw new Error(`balls of ${Math.ceil(2 * drawn)} pixels, its points have at most ${this.largest}`);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const [x, y] = [(2 * size) / side / width, (2 * size) / side / height];
    gl.uniform4f(uniforms.view, x, y, (-x * side) / 2, (-y * side) / 2);
    gl.uniform1f(uniforms.radius, drawn);
    gl.drawArrays(gl.POINTS, 0, this.count);
  }

  /** Copies x, y of each ball, and whether it touches another one. */
  upload(positions: Float32Array, touching: Uint8Array): void {
    const { gl } = this;
    if (this.count !== touching.length) {
      this.count = touching.length;
      this.attribute(0, 0, 2, gl.FLOAT, positions.byteLength);
      this.attribute(1, 1, 1, gl.UNSIGNED_BYTE, touching.byteLength);
    }
    for (const [buffer, data] of [
      [this.buffers[0], positions],
      [this.buffers[1], touching],
    ] as const) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
    }
  }

  private attribute(buffer: 0 | 1, location: number, size: number, type: number, bytes: number): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[buffer]);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STREAM_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, false, 0, 0);
  }
}

function link(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "link failed");
  return program;
}

/** Returns the parts of `#rrggbb`, 0 to 1. */
function rgb(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
