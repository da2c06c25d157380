// Shaders that are compiled and linked, whose uniforms are set by name.

export interface Source {
  readonly vertex: string
  readonly fragment: string
}

/** Numbers are floats, lists of two are pairs, lists of sixteen matrices, others colours one after the other. */
export type Uniforms = Readonly<Record<string, number | readonly number[] | Float32Array>>

/**
 * Compiles and links a pair of shaders.
 *
 * @param samplers names of the textures that it reads, by unit
 * @returns puts it in use, with these uniforms
 * @throws {Error} with the compiler's words when a shader is refused
 */
export function createProgram(gl: WebGL2RenderingContext, source: Source, samplers: readonly string[] = []) {
  const program = gl.createProgram()
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, source.vertex],
    [gl.FRAGMENT_SHADER, source.fragment],
  ] as const) {
    const shader = gl.createShader(kind)!
    gl.shaderSource(shader, text)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
    const said = gl.getShaderInfoLog(shader)
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(said ?? '')
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(gl.getProgramInfoLog(program) ?? '')
  const places = new Map<string, WebGLUniformLocation | null>()
  const placeOf = (name: string) => {
    if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name))
    return places.get(name)!
  }
  gl.useProgram(program)
  samplers.forEach((name, unit) => gl.uniform1i(placeOf(name), unit))

  return (uniforms: Uniforms) => {
    gl.useProgram(program)
    for (const [name, value] of Object.entries(uniforms))
      if (typeof value === 'number') gl.uniform1f(placeOf(name), value)
      else if (value.length === 2) gl.uniform2fv(placeOf(name), value)
      else if (value.length === 16) gl.uniformMatrix4fv(placeOf(name), false, value)
      else gl.uniform3fv(placeOf(name), value)
  }
}
