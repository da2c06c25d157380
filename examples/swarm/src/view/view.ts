// The canvas: when it is drawn, how large it is, what becomes of it when the graphics card is taken away.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import { Hunter, Position, Velocity } from '../simulation/components.ts'
import { STEP } from '../simulation/settings.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { Camera } from './camera.ts'
import { PALETTES, type Theme } from './colours.ts'
import { listenToGestures, type OnTap } from './gestures.ts'
import { type Frame, Painter } from './painter.ts'

/** More device pixels than this to a CSS pixel cost much and show little. */
const MOST_DENSITY = 2
/** Seconds in which the camera has gone two thirds of its way to the marked agent. */
const APPROACH = 0.2

export type View = ReturnType<typeof createView>

/** The browser has no WebGL 2, or gives none. The message is for people. */
export class NoWebGL extends Error {
  override readonly name = 'NoWebGL'
  readonly code = 'NO_WEBGL'
  constructor() {
    super(
      'The swarm is drawn with WebGL 2, which this browser does not offer: try a newer one, or allow it hardware acceleration.',
    )
  }
}

/**
 * Draws a swarm on a canvas, which styles give its size.
 *
 * @throws {NoWebGL}
 */
export function createView(canvas: HTMLCanvasElement, swarm: Swarm, onTap: OnTap) {
  const gl = canvas.getContext('webgl2', {
    alpha: false,
    antialias: false,
    depth: false,
    powerPreference: 'high-performance',
  })
  if (!gl) throw new NoWebGL()

  const { world } = swarm
  const positions = world.accessor(Position)
  const velocities = world.accessor(Velocity)
  const camera = new Camera()
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
  // Null while the graphics card is away.
  let painter: Painter | null = new Painter(gl, swarm, camera)
  let marked: Entity = NULL_ENTITY
  let drawnAt = performance.now()
  let drawnLife = swarm.tick * STEP

  const measure = () => {
    camera.width = Math.max(1, canvas.clientWidth)
    camera.height = Math.max(1, canvas.clientHeight)
  }
  new ResizeObserver(measure).observe(canvas)
  measure()
  canvas.addEventListener('webglcontextlost', (event) => {
    // Else it would never be restored.
    event.preventDefault()
    painter = null
  })
  canvas.addEventListener('webglcontextrestored', () => (painter = new Painter(gl, swarm, camera)))
  listenToGestures(canvas, camera, onTap)

  /** Where the marked agent is drawn; null when there is none. The camera comes along. */
  function findMarked(ahead: number, passed: number): Frame['ring'] {
    if (!world.isAlive(marked)) marked = NULL_ENTITY
    if (marked === NULL_ENTITY) return null
    const position = positions.of(marked)
    const velocity = velocities.of(marked)
    const x = position.x + velocity.x * ahead
    const y = position.y + velocity.y * ahead
    const share = reducedMotion.matches ? 1 : 1 - Math.exp(-passed / APPROACH)
    if (camera.following) camera.approach(x, y, share)
    return { x, y, isHunter: world.has(marked, Hunter) }
  }

  return {
    camera,
    theme: 'dark' as Theme,

    /**
     * Draws everything.
     *
     * @param ahead seconds since the last step, 0 up to STEP: agents are carried on so far by their velocity
     */
    draw(ahead: number): void {
      const now = performance.now()
      const passed = (now - drawnAt) / 1000
      drawnAt = now
      const life = swarm.tick * STEP + ahead
      const lived = Math.max(0, life - drawnLife)
      drawnLife = life
      if (!painter) return
      const density = Math.min(MOST_DENSITY, devicePixelRatio)
      const width = Math.round(camera.width * density)
      const height = Math.round(camera.height * density)
      // Only now: a canvas is empty from here until it is drawn.
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      const ring = findMarked(ahead, passed)
      painter.paint({ ahead, lived, passed, palette: PALETTES[this.theme], width, height, density, ring })
    },

    /** Has a ring around it, and is followed until one pans; NULL_ENTITY: none. One that dies is marked no more. */
    get marked() {
      return marked
    },
    set marked(entity: Entity) {
      marked = entity
      camera.following = entity !== NULL_ENTITY
    },
    /** Agents in the last draw, and bytes that went to the graphics card. */
    get drawn() {
      return painter?.drawn ?? 0
    },
    get uploaded() {
      return painter?.uploaded ?? 0
    },
  }
}
