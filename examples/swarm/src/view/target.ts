// A texture that is drawn into: light adds up in it, beyond what a screen can show.

/**
 * Lets textures hold light as half floats, where the graphics card can draw into them.
 *
 * @returns whether it can; else they are plain bytes, and light ends at 1
 */
export function allowHalfFloats(gl: WebGL2RenderingContext): boolean {
  return !!(gl.getExtension('EXT_color_buffer_float') ?? gl.getExtension('EXT_color_buffer_half_float'))
}

export class Target {
  width = 0
  height = 0
  private texture: WebGLTexture | null = null
  private readonly framebuffer: WebGLFramebuffer

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly halfFloats: boolean,
    private readonly mipmaps: boolean,
  ) {
    this.framebuffer = gl.createFramebuffer()
  }

  /** Makes it so large, empty, unless it is. */
  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return
    const { gl } = this
    this.width = width
    this.height = height
    gl.deleteTexture(this.texture)
    this.texture = gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, this.texture)
    const levels = this.mipmaps ? 1 + Math.floor(Math.log2(Math.max(width, height))) : 1
    gl.texStorage2D(gl.TEXTURE_2D, levels, this.halfFloats ? gl.RGBA16F : gl.RGBA8, width, height)
    const filter = this.mipmaps ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer)
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
  }

  /** What is drawn from now on goes into it. */
  drawInto(): void {
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, this.framebuffer)
    this.gl.viewport(0, 0, this.width, this.height)
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
