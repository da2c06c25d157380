// The canvas: when it is drawn, how large it is, what becomes of it when the graphics card is taken away, and the ring on it.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import { element, fit, type Theme } from '../../../page/page.ts'
import { followPointers } from '../../../page/pointers.ts'
import { Hunter, Position, Velocity } from '../simulation/components.ts'
import { STEP } from '../simulation/settings.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { wayTo } from '../simulation/torus.ts'
import { Camera } from './camera.ts'
import { PALETTES } from './colours.ts'
import { Painter } from './painter.ts'

/** Seconds in which the camera has gone two thirds of its way to the marked agent. */
const APPROACH = 0.2

/** Told of a place in units of the square, and how far around it a tap is meant. */
type OnTap = (x: number, y: number, radius: number) => void

export type View = ReturnType<typeof createView>

/** The browser has no WebGL 2, or gives none. The message is for people. */
export class NoWebGL extends Error {
  override get name() {
    return 'NoWebGL'
  }
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
  const camera = new Camera()
  const ring = element('#ring', HTMLDivElement)
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
  followPointers(canvas, {
    drag: ({ x, y }) => camera.drag(x, y),
    pan: ({ x, y }) => camera.drag(x, y),
    zoom: (factor, { x, y }) => camera.zoomBy(factor, x, y),
    tap: ({ x, y }, reach) => onTap(camera.worldX(x), camera.worldY(y), reach / camera.scale),
  })

  /** Puts the ring around the marked agent, if there is one. The camera comes along. */
  function follow(ahead: number, passed: number, { length, hunterLength }: Painter) {
    if (!world.isAlive(marked)) marked = NULL_ENTITY
    ring.hidden = marked === NULL_ENTITY
    if (marked === NULL_ENTITY) return
    const [position, velocity] = [world.get(marked, Position)!, world.get(marked, Velocity)!]
    const x = position.x + velocity.x * ahead
    const y = position.y + velocity.y * ahead
    const share = reducedMotion.matches ? 1 : 1 - Math.exp(-passed / APPROACH)
    if (camera.following) camera.approach(x, y, share)
    const radius = Math.max(13, (world.has(marked, Hunter) ? hunterLength : length) * 0.8 + 5)
    ring.style.left = `${camera.width / 2 + wayTo(camera.x, x) * camera.scale - radius}px`
    ring.style.top = `${camera.height / 2 + wayTo(camera.y, y) * camera.scale - radius}px`
    ring.style.width = ring.style.height = `${2 * radius}px`
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
      const density = fit(canvas)
      const { width, height } = canvas
      follow(ahead, passed, painter)
      painter.paint({ ahead, lived, passed, palette: PALETTES[this.theme], width, height, density })
    },

    /** Has a ring around it, and is followed until one pans; NULL_ENTITY: none. One that dies is no longer marked. */
    get marked() {
      return marked
    },
    set marked(entity: Entity) {
      marked = entity
      camera.following = entity !== NULL_ENTITY
    },
    get drawn() {
      return painter?.drawn ?? 0
    },
  }
}
