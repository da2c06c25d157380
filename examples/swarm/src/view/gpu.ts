// What the painter is made of: columns of agents on the graphics card, and textures of light.

/** Rows of a chunk, as every loop over a query gives them. */
interface Rows {
  readonly start: number
  readonly end: number
  readonly heap: { readonly f32: Float32Array }
}

/** One buffer is filled while the graphics card may still read the two before. */
const RING = 3
const FLOAT_BYTES = 4

/**
 * The columns of one kind of agent: from linear memory to the graphics card, without a copy in JavaScript. A buffer holds the columns one
 * after the other, as long as its capacity each; attribute k is column k.
 */
export class Layer {
  /** Agents uploaded since `begin`. */
  count = 0
  private readonly ring: readonly {
    vertices: WebGLVertexArrayObject
    buffer: WebGLBuffer
    capacity: number
  }[]
  private turn = 0

  /** @param columns how many columns of f32 an agent has */
  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly columns: number,
  ) {
    const one = () => ({ vertices: gl.createVertexArray(), buffer: gl.createBuffer(), capacity: 0 })
    this.ring = Array.from({ length: RING }, one)
  }

  /** Starts again, with room for so many agents. */
  begin(agents: number): void {
    const { gl, columns } = this
    this.turn = (this.turn + 1) % RING
    this.count = 0
    const current = this.ring[this.turn]
    gl.bindBuffer(gl.ARRAY_BUFFER, current.buffer)
    if (current.capacity >= agents) return
    current.capacity = 2 ** Math.ceil(Math.log2(Math.max(1024, agents)))
    gl.bufferData(gl.ARRAY_BUFFER, columns * current.capacity * FLOAT_BYTES, gl.STREAM_DRAW)
    gl.bindVertexArray(current.vertices)
    for (let k = 0; k < columns; k++) {
      gl.enableVertexAttribArray(k)
      gl.vertexAttribPointer(k, 1, gl.FLOAT, false, 0, k * current.capacity * FLOAT_BYTES)
      gl.vertexAttribDivisor(k, 1)
    }
    gl.bindVertexArray(null)
  }

  /**
   * Appends the rows of a chunk: one call a column. Measured at a million agents, that costs less than twice what a single call for all of
   * the memory does, and the shader sees plain attributes.
   *
   * @param columns what chunk.index() says of each
   */
  append({ start, end, heap }: Rows, ...columns: readonly number[]): void {
    const { capacity } = this.ring[this.turn]
    for (let k = 0; k < columns.length; k++) {
      const at = (k * capacity + this.count) * FLOAT_BYTES
      this.gl.bufferSubData(this.gl.ARRAY_BUFFER, at, heap.f32, columns[k] + start, end - start)
    }
    this.count += end - start
  }

  /** Draws a triangle strip of so many corners for each agent, with the program in use. */
  draw(corners: number): void {
    if (this.count === 0) return
    const { gl } = this
    gl.bindVertexArray(this.ring[this.turn].vertices)
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, corners, this.count)
    gl.bindVertexArray(null)
  }
}

/** A texture that light adds up in, beyond what a screen can show. `blurred`: it has smaller copies of itself, too. */
export class Target {
  width = 0
  height = 0
  private texture: WebGLTexture | null = null
  private readonly framebuffer: WebGLFramebuffer
  private readonly format: GLenum

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly blurred: boolean,
  ) {
    const canAddUp =
      gl.getExtension('EXT_color_buffer_float') ?? gl.getExtension('EXT_color_buffer_half_float')
    this.format = canAddUp ? gl.RGBA16F : gl.RGBA8
    this.framebuffer = gl.createFramebuffer()
  }

  /** From here on, everything is drawn into it. It is empty when its size is another. */
  drawInto(width: number, height: number): void {
    const { gl } = this
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer)
    gl.viewport(0, 0, width, height)
    if (width === this.width && height === this.height) return
    this.width = width
    this.height = height
    gl.deleteTexture(this.texture)
    this.texture = gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, this.texture)
    const levels = this.blurred ? 1 + Math.floor(Math.log2(Math.max(width, height))) : 1
    gl.texStorage2D(gl.TEXTURE_2D, levels, this.format, width, height)
    const filter = this.blurred ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
  }

  /** Shaders read it from a texture unit. */
  read(unit: number): void {
    this.gl.activeTexture(this.gl.TEXTURE0 + unit)
    this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture)
  }

  /** Fills the smaller copies of itself, which are its blurred light. */
  blur(): void {
    this.read(0)
    this.gl.generateMipmap(this.gl.TEXTURE_2D)
  }
}
