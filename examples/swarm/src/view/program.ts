// A compiled and linked pair of shaders, and how its uniforms are set by name.

import type { Source } from './shaders.ts'

export class Program {
  private readonly handle: WebGLProgram
  private readonly places = new Map<string, WebGLUniformLocation>()

  /** @throws {Error} with the compiler's words when a shader is refused */
  constructor(
    private readonly gl: WebGL2RenderingContext,
    { vertex, fragment }: Source,
  ) {
    this.handle = gl.createProgram()
    const shaders = [compile(gl, gl.VERTEX_SHADER, vertex), compile(gl, gl.FRAGMENT_SHADER, fragment)]
    for (const shader of shaders) gl.attachShader(this.handle, shader)
    gl.linkProgram(this.handle)
    // They live on as long as the program does.
    for (const shader of shaders) gl.deleteShader(shader)
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`Shaders do not fit: ${gl.getProgramInfoLog(this.handle)}`)
    const uniforms = (gl.getProgramParameter(this.handle, gl.ACTIVE_UNIFORMS) as number | null) ?? 0
    for (let k = 0; k < uniforms; k++) {
      // An array is listed as its first value.
      const name = gl.getActiveUniform(this.handle, k)!.name.replace('[0]', '')
      this.places.set(name, gl.getUniformLocation(this.handle, name)!)
    }
  }

  /** What follows is about this program. */
  use(): this {
    this.gl.useProgram(this.handle)
    return this
  }

  /** Of a number that the shader does not use, nothing is done; so in all of these. The program is in use. */
  float(name: string, value: number): this {
    this.gl.uniform1f(this.places.get(name) ?? null, value)
    return this
  }

  /** A number without fraction, a boolean, or which texture unit. */
  int(name: string, value: number): this {
    this.gl.uniform1i(this.places.get(name) ?? null, value)
    return this
  }

  pair(name: string, x: number, y: number): this {
    this.gl.uniform2f(this.places.get(name) ?? null, x, y)
    return this
  }

  /** One colour, or several behind each other. */
  colours(name: string, values: Float32List): this {
    this.gl.uniform3fv(this.places.get(name) ?? null, values)
    return this
  }
}

function compile(gl: WebGL2RenderingContext, kind: GLenum, source: string): WebGLShader {
  // Null only where the context is lost; then nothing that follows does anything.
  const shader = gl.createShader(kind)!
  gl.shaderSource(shader, source)
  gl.compileShader(shader)
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
    throw new Error(`A shader does not compile: ${gl.getShaderInfoLog(shader)}`)
  return shader
}
