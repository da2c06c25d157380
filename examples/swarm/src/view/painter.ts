// All that is on the graphics card, and the passes of a frame: light of agents, afterglow, picture, what is painted on it. When its
// context is lost, another painter is made.

import { Burning, Position, Velocity } from '../simulation/components.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { dartLength, exposureOf } from './appearance.ts'
import { type Camera, shortestWay } from './camera.ts'
import type { Palette } from './colours.ts'
import { Layer } from './layer.ts'
import { Program } from './program.ts'
import { DART_CORNERS, RING_CORNERS, SCREEN_CORNERS, SOURCES } from './shaders.ts'
import { Target, allowHalfFloats } from './target.ts'

/** Seconds in which the light of an agent that went on falls to a third. */
const AFTERGLOW = 0.1
/** How much of the afterglow is seen, sharp and blurred. */
const TRAIL = 0.45
const BLOOM = 0.12

/** A hunter is so many times as long as its prey, within these CSS pixels. */
const HUNTER_LENGTH = 3.4
const LEAST_HUNTER = 18
const MOST_HUNTER = 110

export interface Frame {
  /** Seconds since the last step. */
  readonly ahead: number
  /** Seconds since the last frame: of the swarm, which may stand still, and of the clock. */
  readonly lived: number
  readonly passed: number
  readonly palette: Palette
  /** Device pixels of the canvas. */
  readonly width: number
  readonly height: number
  /** Device pixels a CSS pixel. */
  readonly density: number
  /** Where the ring is, in units; null: nowhere. */
  readonly ring: { readonly x: number; readonly y: number; readonly isHunter: boolean } | null
}

export class Painter {
  private readonly flock: Layer
  private readonly burning: Layer
  private readonly hunters: Layer
  private readonly programs: Record<keyof typeof SOURCES, Program>
  private readonly halfFloats: boolean
  private readonly light: Target
  private glow: Target
  private glowBefore: Target
  /** The camera of the last frame. */
  private readonly before: { x: number; y: number; scale: number }

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly swarm: Swarm,
    private readonly camera: Camera,
  ) {
    this.flock = new Layer(gl, 4)
    this.burning = new Layer(gl, 5)
    this.hunters = new Layer(gl, 4)
    const programs = Object.entries(SOURCES).map(([name, source]) => [name, new Program(gl, source)])
    this.programs = Object.fromEntries(programs) as typeof this.programs
    this.halfFloats = allowHalfFloats(gl)
    this.light = new Target(gl, this.halfFloats, false)
    this.glow = new Target(gl, this.halfFloats, true)
    this.glowBefore = new Target(gl, this.halfFloats, true)
    this.before = { x: camera.x, y: camera.y, scale: camera.scale }
    gl.clearColor(0, 0, 0, 0)
  }

  get drawn(): number {
    return this.flock.count + this.burning.count + this.hunters.count
  }

  get uploaded(): number {
    return this.flock.bytes + this.burning.bytes + this.hunters.bytes
  }

  /** Draws one frame of the world as it is. */
  paint(frame: Frame): void {
    const { gl, camera } = this
    this.upload()
    const length = dartLength(Math.max(1, this.drawn), camera.scale / camera.zoom, camera.zoom)
    const exposure = exposureOf(this.drawn, length, camera.scale)
    const hunterLength = Math.min(MOST_HUNTER, Math.max(LEAST_HUNTER, length * HUNTER_LENGTH))
    gl.disable(gl.BLEND)
    this.light.resize(frame.width, frame.height)
    this.paintLight(frame, length, hunterLength, exposure)
    gl.disable(gl.BLEND)
    if (this.halfFloats) this.paintAfterglow(frame)
    this.paintPicture(frame, exposure)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    this.useForAgents('hunter', frame, hunterLength, 1, frame.palette.hunter)
      .float('rimWidth', Math.max(0.8, hunterLength * 0.04) * frame.density)
      .colours('rim', frame.palette.rim)
    this.hunters.draw(DART_CORNERS)
    if (frame.ring) this.paintRing(frame, frame.ring, frame.ring.isHunter ? hunterLength : length)
  }

  private upload(): void {
    const { swarm, flock, burning, hunters } = this
    flock.begin(swarm.flock.count)
    for (const chunk of swarm.flock)
      flock.append(
        chunk,
        chunk.index(Position, 'x'),
        chunk.index(Position, 'y'),
        chunk.index(Velocity, 'x'),
        chunk.index(Velocity, 'y'),
      )
    burning.begin(swarm.burning.count)
    for (const chunk of swarm.burning)
      burning.append(
        chunk,
        chunk.index(Position, 'x'),
        chunk.index(Position, 'y'),
        chunk.index(Velocity, 'x'),
        chunk.index(Velocity, 'y'),
        chunk.index(Burning, 'left'),
      )
    hunters.begin(swarm.hunters.count)
    for (const chunk of swarm.hunters)
      hunters.append(
        chunk,
        chunk.index(Position, 'x'),
        chunk.index(Position, 'y'),
        chunk.index(Velocity, 'x'),
        chunk.index(Velocity, 'y'),
      )
  }

  private paintLight(frame: Frame, length: number, hunterLength: number, exposure: number): void {
    const { gl } = this
    const { palette } = frame
    this.light.drawInto()
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE)
    this.useForAgents('flock', frame, length, 1, palette.headings)
    this.flock.draw(DART_CORNERS)
    // Light adds to light, but ink on dark ink would not be seen: fire and hunters cover it.
    if (palette.isInk) gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    // A fire is as bright in a crowd as alone.
    const bright = 1.6 / Math.sqrt(exposure)
    this.useForAgents('fire', frame, length * 1.25, bright * 1.5, palette.fire)
    this.burning.draw(DART_CORNERS)
    this.useForAgents('halo', frame, hunterLength * 1.3, bright * 0.6, palette.halo)
    this.hunters.draw(DART_CORNERS)
  }

  /** Puts a program in use that draws agents of a length in CSS pixels. */
  private useForAgents(
    name: 'flock' | 'fire' | 'halo' | 'hunter',
    { ahead, width, height, density }: Frame,
    length: number,
    gain: number,
    colours: Float32List,
  ): Program {
    const { camera } = this
    const perUnit = camera.scale * density * 2
    return this.programs[name]
      .use()
      .pair('centre', camera.x, camera.y)
      .pair('clipPerUnit', perUnit / width, -perUnit / height)
      .pair('clipPerPixel', 2 / width, -2 / height)
      .float('ahead', ahead)
      .float('reach', (length * density) / 2)
      .float('gain', gain)
      .colours('colours', colours)
  }

  private paintAfterglow({ lived, passed, width, height }: Frame): void {
    const { gl, camera, before, light } = this
    // What stands still glows on. But the old glow is too coarse for a camera that came near: then the clock counts.
    const nearer = before.scale / camera.scale
    const fading = nearer === 1 ? lived : Math.max(lived, passed)
    ;[this.glow, this.glowBefore] = [this.glowBefore, this.glow]
    const { glow, glowBefore } = this
    glow.resize(Math.ceil(width / 2), Math.ceil(height / 2))
    glowBefore.resize(glow.width, glow.height)
    glow.drawInto()
    light.read(0)
    glowBefore.read(1)
    this.programs.afterglow
      .use()
      .int('light', 0)
      .int('before', 1)
      .pair(
        'moved',
        (shortestWay(before.x, camera.x) * before.scale) / camera.width,
        (-shortestWay(before.y, camera.y) * before.scale) / camera.height,
      )
      .float('nearer', nearer)
      .float('keep', Math.exp(-fading / AFTERGLOW))
    gl.drawArrays(gl.TRIANGLES, 0, SCREEN_CORNERS)
    glow.blur()
    before.x = camera.x
    before.y = camera.y
    before.scale = camera.scale
  }

  private paintPicture({ width, height, palette }: Frame, exposure: number): void {
    const { gl, halfFloats } = this
    gl.bindFramebuffer(gl.FRAMEBUFFER, null)
    gl.viewport(0, 0, width, height)
    this.light.read(0)
    this.glow.read(1)
    this.programs.picture
      .use()
      .int('light', 0)
      .int('glow', 1)
      .float('exposure', exposure)
      .float('trail', halfFloats ? TRAIL : 0)
      .float('bloom', halfFloats && !palette.isInk ? BLOOM : 0)
      .colours('ground', palette.ground)
      .int('isInk', palette.isInk ? 1 : 0)
    gl.drawArrays(gl.TRIANGLES, 0, SCREEN_CORNERS)
  }

  private paintRing(
    { width, height, density, palette }: Frame,
    at: { x: number; y: number },
    length: number,
  ): void {
    const { gl, camera } = this
    const perUnit = camera.scale * density * 2
    this.programs.ring
      .use()
      .pair(
        'place',
        (shortestWay(camera.x, at.x) * perUnit) / width,
        (-shortestWay(camera.y, at.y) * perUnit) / height,
      )
      .pair('clipPerPixel', 2 / width, -2 / height)
      .float('reach', Math.max(13, length * 0.8 + 5) * density)
      .float('width', 2 * density)
      .colours('ring', palette.ring)
      .colours('edge', palette.ringEdge)
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, RING_CORNERS)
  }
}
