// Draws many balls with one instanced WebGL2 call.

import { colour } from '../../shell/theme';

const VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;
layout(location = 1) in vec2 center;
layout(location = 2) in float touching;
uniform vec4 view; // scale x, y and offset x, y: from the scene to clip space
uniform float radius;
uniform float pixel;
out vec2 at;
flat out float mark;
flat out float softness;
void main() {
  float drawn = max(radius, 0.75 * pixel);
  softness = min(1.0, 1.5 * pixel / drawn);
  at = corner;
  mark = touching;
  gl_Position = vec4((center + corner * drawn) * view.xy + view.zw, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
in vec2 at;
flat in float mark;
flat in float softness;
uniform vec3 plain;
uniform vec3 touched;
out vec4 color;
void main() {
  float inside = 1.0 - smoothstep(1.0 - softness, 1.0, length(at));
  if (inside <= 0.0) discard;
  color = vec4(mark > 0.5 ? touched : plain, 1.0) * inside;
}`;

export class FigureGl {
  readonly canvas = document.createElement('canvas');
  private readonly gl: WebGL2RenderingContext;
  private readonly program: WebGLProgram;
  private readonly buffers: [WebGLBuffer, WebGLBuffer];
  private capacity = 0;

  /** Throws if the browser has no WebGL2. */
  constructor() {
    const gl = this.canvas.getContext('webgl2', { antialias: false, alpha: true });
    if (!gl) throw new Error('WebGL2 is missing');
    this.gl = gl;
    this.program = link(gl);
    gl.useProgram(this.program);
    gl.bindVertexArray(gl.createVertexArray());
    const corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.buffers = [gl.createBuffer(), gl.createBuffer()];
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.themeChanged();
  }

  themeChanged(): void {
    const set = (name: string, value: string): void => {
      this.gl.uniform3fv(this.gl.getUniformLocation(this.program, name), rgb(value));
    };
    set('plain', colour('solid-line'));
    set('touched', colour('overlap'));
  }

  draw(side: number, radius: number, positions: Float32Array, touching: Uint8Array): void {
    const { gl, canvas } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (width < 2 || height < 2) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.upload(positions, touching);
    const size = Math.min(width, height) - 24 * ratio;
    const [x, y] = [(2 * size) / side / width, (2 * size) / side / height];
    gl.uniform4f(gl.getUniformLocation(this.program, 'view'), x, y, (-x * side) / 2, (-y * side) / 2);
    gl.uniform1f(gl.getUniformLocation(this.program, 'radius'), radius);
    gl.uniform1f(gl.getUniformLocation(this.program, 'pixel'), side / size);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, touching.length);
  }

  private upload(positions: Float32Array, touching: Uint8Array): void {
    const { gl } = this;
    if (this.capacity !== touching.length) {
      this.capacity = touching.length;
      this.attribute(0, 1, 2, gl.FLOAT, positions.byteLength);
      this.attribute(1, 2, 1, gl.UNSIGNED_BYTE, touching.byteLength);
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
    gl.vertexAttribDivisor(location, 1);
  }

  /** Frees the context: browsers allow few of them. */
  dispose(): void {
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
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
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'link failed');
  return program;
}

/** Returns the parts of `#rrggbb`, 0 to 1. */
function rgb(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
