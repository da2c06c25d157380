// What mice, pens, fingers and wheels do on a canvas: tap, drag, pinch, zoom.

/** A pointer that moved no further than this, in CSS pixels, tapped. */
const SLACK = 6
/** How far around it, in CSS pixels, a tap is meant. */
const REACH = { mouse: 10, pen: 14, touch: 26 }
/** Part of e that one pixel of the wheel zooms by; a pinch on a touchpad comes as a wheel with Control, in smaller numbers. */
const WHEEL = 0.0015
const TOUCHPAD_PINCH = 0.01
/** A wheel that counts lines or pages says so: CSS pixels of each. */
const WHEEL_PIXELS = [1, 16, 400]

/** In CSS pixels of the canvas. */
export interface Point {
  readonly x: number
  readonly y: number
}

export interface Pointing {
  /** A pointer came down: the only one, or beside another one. */
  down?(at: Point, isAlone: boolean): void
  /** The only pointer moved so far; `at` is where it is. */
  drag(by: Point, at: Point): void
  /** What is between two fingers moved so far. */
  pan?(by: Point): void
  /** Above 1 to come nearer; what is at `around` stays there. */
  zoom(factor: number, around: Point): void
  /** Pointers went up that dragged. */
  drop?(): void
  /** A pointer came and went; it is meant so far around. */
  tap(at: Point, reach: number): void
  /** The browser took the pointer away. */
  cancel?(): void
}

export function followPointers(canvas: HTMLCanvasElement, asked: Pointing): void {
  const pointers = new Map<number, Point>()
  // Where the first pointer came down; undefined once it was more than a tap.
  let tapAt: Point | undefined

  const down = ({ button, pointerId, offsetX: x, offsetY: y }: PointerEvent) => {
    if (button !== 0) return
    canvas.setPointerCapture(pointerId)
    const isAlone = pointers.size === 0
    tapAt = isAlone ? { x, y } : undefined
    pointers.set(pointerId, { x, y })
    asked.down?.({ x, y }, isAlone)
  }

  const move = ({ pointerId, offsetX: x, offsetY: y }: PointerEvent) => {
    const before = pointers.get(pointerId)
    if (before === undefined) return
    if (tapAt) {
      if (Math.hypot(x - tapAt.x, y - tapAt.y) <= SLACK) return
      tapAt = undefined
      canvas.style.cursor = 'grabbing'
    }
    pointers.set(pointerId, { x, y })
    const by = { x: x - before.x, y: y - before.y }
    const others = [...pointers].filter(([id]) => id !== pointerId)
    if (others.length === 0) asked.drag(by, { x, y })
    if (others.length !== 1) return
    // One of two fingers moves: what was between them stays between them.
    const [[, other]] = others
    const [was, is] = [before, { x, y }].map((one) => Math.hypot(one.x - other.x, one.y - other.y))
    asked.pan?.({ x: by.x / 2, y: by.y / 2 })
    if (was > 0 && is > 0) asked.zoom(is / was, { x: (x + other.x) / 2, y: (y + other.y) / 2 })
  }

  const up = ({ type, pointerId, pointerType }: PointerEvent) => {
    if (!pointers.delete(pointerId) || pointers.size > 0) return
    canvas.style.cursor = ''
    if (type === 'pointercancel') asked.cancel?.()
    else if (tapAt) asked.tap(tapAt, REACH[pointerType as keyof typeof REACH] ?? REACH.mouse)
    else asked.drop?.()
  }

  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    const pixels = event.deltaY * (WHEEL_PIXELS[event.deltaMode] ?? 1)
    const factor = Math.exp(-pixels * (event.ctrlKey ? TOUCHPAD_PINCH : WHEEL))
    asked.zoom(factor, { x: event.offsetX, y: event.offsetY })
  }

  canvas.addEventListener('pointerdown', down)
  canvas.addEventListener('pointermove', move)
  canvas.addEventListener('pointerup', up)
  canvas.addEventListener('pointercancel', up)
  canvas.addEventListener('wheel', wheel, { passive: false })
}
