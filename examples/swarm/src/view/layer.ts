// The vertex buffers of one kind of agent: its columns go from linear memory to the graphics card, without a copy in JavaScript.

/** Rows of a chunk, as every loop over a query gives them. */
interface Rows {
  readonly start: number
  readonly end: number
  readonly heap: { readonly f32: Float32Array }
}

/** One is filled while the graphics card may still read the two before. */
const RING = 3
const LEAST_CAPACITY = 1024
const FLOAT_BYTES = 4

interface Buffer {
  readonly vertices: WebGLVertexArrayObject
  readonly buffer: WebGLBuffer
  /** Agents for which there is room. */
  capacity: number
}

/** A buffer holds the columns one behind the other, as long as the capacity each; attribute k is column k. */
export class Layer {
  /** Agents uploaded since `begin`. */
  count = 0
  private readonly ring: readonly Buffer[]
  private turn = 0

  /** @param columns how many columns of f32 an agent has */
  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly columns: number,
  ) {
    this.ring = Array.from({ length: RING }, () => ({
      vertices: gl.createVertexArray(),
      buffer: gl.createBuffer(),
      capacity: 0,
    }))
  }

  /** Bytes uploaded since `begin`. */
  get bytes(): number {
    return this.count * this.columns * FLOAT_BYTES
  }

  /** Starts anew, with room for so many agents. */
  begin(agents: number): void {
    const { gl } = this
    this.turn = (this.turn + 1) % RING
    this.count = 0
    const current = this.ring[this.turn]
    gl.bindBuffer(gl.ARRAY_BUFFER, current.buffer)
    if (current.capacity < agents) this.grow(current, agents)
  }

  /** Doubles the room until it suffices. The buffer is bound. */
  private grow(current: Buffer, agents: number): void {
    const { gl, columns } = this
    current.capacity ||= LEAST_CAPACITY
    while (current.capacity < agents) current.capacity *= 2
    const columnBytes = current.capacity * FLOAT_BYTES
    gl.bufferData(gl.ARRAY_BUFFER, columns * columnBytes, gl.STREAM_DRAW)
    gl.bindVertexArray(current.vertices)
    for (let k = 0; k < columns; k++) {
      gl.enableVertexAttribArray(k)
      gl.vertexAttribPointer(k, 1, gl.FLOAT, false, 0, k * columnBytes)
      gl.vertexAttribDivisor(k, 1)
    }
    gl.bindVertexArray(null)
  }

  /**
   * Appends the rows of a chunk: one call a column, each straight from linear memory. Measured at a million agents, that
   * costs less than twice what a single call for all of the memory does, and the shader sees plain attributes.
   *
   * @param rows the chunk
   * @param x, y, vx, vy, extra what chunk.index() says of the columns; `extra` where there are five
   */
  append(rows: Rows, x: number, y: number, vx: number, vy: number, extra = -1): void {
    const { start, end, heap } = rows
    const agents = end - start
    this.upload(0, heap.f32, x + start, agents)
    this.upload(1, heap.f32, y + start, agents)
    this.upload(2, heap.f32, vx + start, agents)
    this.upload(3, heap.f32, vy + start, agents)
    if (extra >= 0) this.upload(4, heap.f32, extra + start, agents)
    this.count += agents
  }

  private upload(column: number, f32: Float32Array, first: number, agents: number): void {
    const { gl } = this
    const at = column * this.ring[this.turn].capacity + this.count
    gl.bufferSubData(gl.ARRAY_BUFFER, at * FLOAT_BYTES, f32, first, agents)
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
