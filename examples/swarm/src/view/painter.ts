// The passes of a frame: light of agents, afterglow, picture, hunters on it. When the graphics card was away, another painter is made.

import { createProgram, type Uniforms } from '../../../page/program.ts'
import { Burning, Position, Velocity } from '../simulation/components.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { wayTo } from '../simulation/torus.ts'
import { type Camera, dartLength, exposureOf } from './camera.ts'
import type { Palette } from './colours.ts'
import { Layer, Target } from './gpu.ts'
import { DART_CORNERS, SCREEN_CORNERS, SOURCES } from './shaders.ts'

/** Seconds in which the light of an agent that went on falls to a third. */
const AFTERGLOW = 0.1
/** How much of the afterglow is seen, sharp and blurred. */
const TRAIL = 0.45
const BLOOM = 0.12

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
}

export class Painter {
  /** Lengths of agents and of hunters in the last frame, in CSS pixels. */
  length = 0
  hunterLength = 0
  private readonly flock: Layer
  private readonly burning: Layer
  private readonly hunters: Layer
  private readonly programs: Readonly<Record<keyof typeof SOURCES, (uniforms: Uniforms) => void>>
  private readonly light: Target
  private glow: Target
  private glowBefore: Target
  /** The camera of the last frame. */
  private before: { readonly x: number; readonly y: number; readonly scale: number }

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly swarm: Swarm,
    private readonly camera: Camera,
  ) {
    this.flock = new Layer(gl, 4)
    this.burning = new Layer(gl, 5)
    this.hunters = new Layer(gl, 4)
    this.programs = {
      flock: createProgram(gl, SOURCES.flock),
      fire: createProgram(gl, SOURCES.fire),
      halo: createProgram(gl, SOURCES.halo),
      hunter: createProgram(gl, SOURCES.hunter),
      afterglow: createProgram(gl, SOURCES.afterglow, ['light', 'before']),
      picture: createProgram(gl, SOURCES.picture, ['light', 'glow']),
    }
    this.light = new Target(gl, false)
    this.glow = new Target(gl, true)
    this.glowBefore = new Target(gl, true)
    this.before = { x: camera.x, y: camera.y, scale: camera.scale }
    gl.clearColor(0, 0, 0, 0)
  }

  get drawn(): number {
    return this.flock.count + this.burning.count + this.hunters.count
  }

  paint(frame: Frame): void {
    const { gl, camera } = this
    this.upload()
    this.length = dartLength(Math.max(1, this.drawn), camera.scale / camera.zoom, camera.zoom)
    this.hunterLength = Math.min(110, Math.max(18, this.length * 3.4))
    const exposure = exposureOf(this.drawn, this.length, camera.scale)
    this.paintLight(frame, exposure)
    this.paintAfterglow(frame)
    this.paintPicture(frame, exposure)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    this.useForAgents('hunter', frame, this.hunterLength, 1, frame.palette.hunter, {
      rimWidth: Math.max(0.8, this.hunterLength * 0.04) * frame.density,
      rim: frame.palette.rim,
    })
    this.hunters.draw(DART_CORNERS)
    gl.disable(gl.BLEND)
  }

  private upload(): void {
    for (const kind of ['flock', 'burning', 'hunters'] as const) {
      const [layer, agents] = [this[kind], this.swarm[kind] as Swarm['burning']]
      layer.begin(agents.count)
      for (const chunk of agents) {
        const place = [chunk.index(Position, 'x'), chunk.index(Position, 'y')]
        const way = [chunk.index(Velocity, 'x'), chunk.index(Velocity, 'y')]
        const left = kind === 'burning' ? [chunk.index(Burning, 'left')] : []
        layer.append(chunk, ...place, ...way, ...left)
      }
    }
  }

  private paintLight(frame: Frame, exposure: number): void {
    const { gl } = this
    const { palette } = frame
    this.light.drawInto(frame.width, frame.height)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE)
    this.useForAgents('flock', frame, this.length, 1, palette.headings)
    this.flock.draw(DART_CORNERS)
    // Light adds to light, but ink on dark ink would not be seen: fire and hunters cover it.
    if (palette.isInk) gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    // A fire is as bright in a crowd as alone.
    const bright = 1.6 / Math.sqrt(exposure)
    this.useForAgents('fire', frame, this.length * 1.25, bright * 1.5, palette.fire)
    this.burning.draw(DART_CORNERS)
    this.useForAgents('halo', frame, this.hunterLength * 1.3, bright * 0.6, palette.halo)
    this.hunters.draw(DART_CORNERS)
    gl.disable(gl.BLEND)
  }

  /** Puts a program in use that draws agents of a length in CSS pixels. */
  private useForAgents(
    name: 'flock' | 'fire' | 'halo' | 'hunter',
    { ahead, width, height, density }: Frame,
    length: number,
    gain: number,
    colours: readonly number[],
    more: Uniforms = {},
  ): void {
    const { camera } = this
    const perUnit = camera.scale * density * 2
    this.programs[name]({
      centre: [camera.x, camera.y],
      clipPerUnit: [perUnit / width, -perUnit / height],
      clipPerPixel: [2 / width, -2 / height],
      ahead,
      reach: (length * density) / 2,
      gain,
      colours,
      ...more,
    })
  }

  private paintAfterglow({ lived, passed, width, height }: Frame): void {
    const { gl, camera, before } = this
    // What stands still glows on. But the old glow is too coarse for a camera that came near: then the clock counts.
    const nearer = before.scale / camera.scale
    const fading = nearer === 1 ? lived : Math.max(lived, passed)
    ;[this.glow, this.glowBefore] = [this.glowBefore, this.glow]
    // Both have the size of this frame before one is read.
    for (const target of [this.glowBefore, this.glow])
      target.drawInto(Math.ceil(width / 2), Math.ceil(height / 2))
    this.light.read(0)
    this.glowBefore.read(1)
    const right = (wayTo(before.x, camera.x) * before.scale) / camera.width
    const down = (wayTo(before.y, camera.y) * before.scale) / camera.height
    this.programs.afterglow({ moved: [right, -down], nearer, keep: Math.exp(-fading / AFTERGLOW) })
    gl.drawArrays(gl.TRIANGLES, 0, SCREEN_CORNERS)
    this.glow.blur()
    this.before = { x: camera.x, y: camera.y, scale: camera.scale }
  }

  private paintPicture({ width, height, palette }: Frame, exposure: number): void {
    const { gl } = this
    gl.bindFramebuffer(gl.FRAMEBUFFER, null)
    gl.viewport(0, 0, width, height)
    this.light.read(0)
    this.glow.read(1)
    const [isInk, bloom] = palette.isInk ? [1, 0] : [0, BLOOM]
    this.programs.picture({ exposure, trail: TRAIL, bloom, ground: palette.ground, isInk })
    gl.drawArrays(gl.TRIANGLES, 0, SCREEN_CORNERS)
  }
}
