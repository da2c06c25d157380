// The picture: all bodies as glowing discs, in one call.

import { createProgram, type Uniforms } from '../../../page/program.ts'
import type { Camera } from './camera.ts'

const vertex = `#version 300 es
uniform mat4 camera;
uniform float scale;
uniform float chosen;
uniform float aimed;
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 look;
out vec3 colour;
out float kind;
out float shine;
void main() {
  gl_Position = camera * place;
  float depth = max(gl_Position.w, 0.001);
  float glow = look.y < 0.5 ? 7.0 : look.y < 1.5 ? 2.6 : 2.2;
  float pixels = look.x * glow * scale / depth;
  // What is smaller than a pixel is fainter instead.
  float least = look.y < 3.5 ? 2.0 : 1.3;
  shine = clamp(pixels / least, look.y < 3.5 ? 0.35 : 0.1, 1.0);
  kind = look.y;
  float slot = float(gl_VertexID);
  bool marked = slot == chosen || slot == aimed;
  gl_PointSize = clamp(pixels, least, 900.0) + (marked ? 10.0 : 0.0);
  if (marked) shine = 1.6;
  vec3 tone = 0.5 + 0.5 * cos(6.2832 * (look.z + vec3(0.0, 0.33, 0.62)));
  colour = look.y < 0.5 ? mix(vec3(1.0, 0.74, 0.42), vec3(0.62, 0.76, 1.0), look.z)
    : look.y < 1.5 ? mix(vec3(0.9, 0.85, 0.8), tone, 0.62)
    : look.y < 2.5 ? mix(vec3(0.75, 0.8, 0.9), tone, 0.25)
    : look.y < 3.5 ? vec3(0.3, 0.85, 0.7)
    : mix(vec3(0.85, 0.5, 0.28), vec3(0.3, 0.42, 0.9), smoothstep(0.1, 0.9, look.z)) * 0.7;
  if (slot == aimed) colour = vec3(0.5, 1.0, 0.7);
}`

const fragment = `#version 300 es
precision highp float;
in vec3 colour;
in float kind;
in float shine;
out vec4 drawn;
void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  float far = length(at);
  if (far > 1.0) discard;
  float fade = 1.0 - far;
  float light;
  if (kind < 0.5) light = 1.6 * smoothstep(0.17, 0.12, far) + 0.9 * pow(fade, 5.0) + 0.12 * fade * fade;
  else if (kind < 2.5) {
    float disc = smoothstep(0.44, 0.38, far);
    light = disc * (0.55 + 0.6 * dot(at, vec2(-0.7, -0.8))) + 0.45 * disc + 0.22 * fade * fade;
  } else light = fade * 1.3;
  vec3 lit = colour * light * shine;
  if (kind < 0.5) lit += vec3(0.5 * smoothstep(0.16, 0.05, far));
  drawn = vec4(lit, 1.0);
}`

export class Painter {
  private readonly places: WebGLBuffer
  private readonly use: (uniforms: Uniforms) => void

  /** @param looks for each slot size, kind, hue and 0 */
  constructor(
    private readonly gl: WebGL2RenderingContext,
    looks: Float32Array,
    private readonly count: number,
  ) {
    this.use = createProgram(gl, { vertex, fragment })
    this.places = attribute(gl, 0)
    gl.bufferData(gl.ARRAY_BUFFER, 16 * count, gl.DYNAMIC_DRAW)
    attribute(gl, 1)
    gl.bufferData(gl.ARRAY_BUFFER, looks, gl.STATIC_DRAW)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE)
  }

  /**
   * @param chosen slot of the body that is held, -1 for none
   * @param aimed slot of the one that it would circle around
   */
  draw(places: Float32Array, camera: Camera, chosen: number, aimed: number): void {
    const { gl } = this
    const { width, height } = gl.canvas
    gl.viewport(0, 0, width, height)
    gl.clearColor(0.012, 0.016, 0.034, 1)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.places)
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, places)
    const scale = (camera.scale * height) / camera.height
    this.use({ camera: camera.matrix, scale, chosen, aimed })
    gl.drawArrays(gl.POINTS, 0, this.count)
  }
}

function attribute(gl: WebGL2RenderingContext, place: number): WebGLBuffer {
  const buffer = gl.createBuffer()
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  gl.enableVertexAttribArray(place)
  gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 0, 0)
  return buffer
}
