// Owns the canvas: when it is drawn, how large it is, what becomes of it when the graphics card is taken away.
// It must never change the world.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import { Hunter, Position, Velocity } from '../simulation/components.ts'
import { STEP } from '../simulation/settings.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { Camera } from './camera.ts'
import { PALETTES, type Theme } from './colours.ts'
import { listenToGestures } from './gestures.ts'
import { type Frame, Painter } from './painter.ts'

/** More device pixels than this to a CSS pixel cost much and show little. */
const MOST_DENSITY = 2
/** Seconds in which the camera has gone two thirds of its way to the marked agent. */
const APPROACH = 0.2

export interface View {
  /**
   * Draws everything.
   *
   * @param ahead seconds since the last step, 0 up to STEP: agents are carried on so far by their velocity
   */
  draw(ahead: number): void
  readonly camera: Camera
  /** Has a ring around it, and is followed until one pans; NULL_ENTITY: none. One that dies is marked no more. */
  marked: Entity
  /** Agents in the last draw. */
  readonly drawn: number
  /** Bytes that went to the graphics card in the last draw. */
  readonly uploaded: number
  theme: Theme
  /** Gives back all that the graphics card holds, and listens no more. */
  dispose(): void
}

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
 * @param on.tap called for a click or tap: where, in units of the square, and how far around it is meant
 * @throws {NoWebGL}
 */
export function createView(
  canvas: HTMLCanvasElement,
  swarm: Swarm,
  on: { tap(x: number, y: number, radius: number): void },
): View {
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
  const listening = new AbortController()
  const { signal } = listening
  // Null while the graphics card is away.
  let painter: Painter | null = new Painter(gl, swarm, camera)
  let marked: Entity = NULL_ENTITY
  let theme: Theme = 'dark'
  let drawnAt = performance.now()
  let drawnLife = swarm.tick * STEP
  const ring = { x: 0, y: 0, isHunter: false }

  const measure = () => {
    camera.width = Math.max(1, canvas.clientWidth)
    camera.height = Math.max(1, canvas.clientHeight)
  }
  const resized = new ResizeObserver(measure)
  resized.observe(canvas)
  measure()

  canvas.addEventListener(
    'webglcontextlost',
    (event) => {
      // Else it would never be restored.
      event.preventDefault()
      painter = null
    },
    { signal },
  )
  canvas.addEventListener('webglcontextrestored', () => (painter = new Painter(gl, swarm, camera)), {
    signal,
  })
  const stopGestures = listenToGestures(canvas, camera, (x, y, radius) => on.tap(x, y, radius))
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

  /** Where the marked agent is drawn; null when there is none. The camera comes along. */
  function findMarked(ahead: number, passed: number): Frame['ring'] {
    if (!world.isAlive(marked)) {
      marked = NULL_ENTITY
      return null
    }
    const position = positions.of(marked)
    const velocity = velocities.of(marked)
    ring.x = position.x + velocity.x * ahead
    ring.y = position.y + velocity.y * ahead
    ring.isHunter = world.has(marked, Hunter)
    if (camera.following)
      camera.approach(ring.x, ring.y, reducedMotion.matches ? 1 : 1 - Math.exp(-passed / APPROACH))
    return ring
  }

  return {
    camera,
    draw(ahead) {
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
      const found = findMarked(ahead, passed)
      painter.paint({ ahead, lived, passed, palette: PALETTES[theme], width, height, density, ring: found })
    },
    get marked() {
      return marked
    },
    set marked(entity) {
      marked = entity
      camera.following = entity !== NULL_ENTITY
    },
    get drawn() {
      return painter?.drawn ?? 0
    },
    get uploaded() {
      return painter?.uploaded ?? 0
    },
    get theme() {
      return theme
    },
    set theme(name) {
      theme = name
    },
    dispose() {
      listening.abort()
      stopGestures()
      resized.disconnect()
      painter?.dispose()
      painter = null
    },
  }
}
