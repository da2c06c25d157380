// What the pointer does: turn, zoom, take hold of a body, drop it on another one, follow one.

import type { Camera } from './camera.ts'

/** Pixels that a pointer must move before it drags. */
const SLACK = 6

export interface Asked {
  pick(x: number, y: number, except: number): number
  /** A body was dropped on another one. */
  drop(slot: number, on: number): void
  /** A body was clicked, or nothing: -1. */
  choose(slot: number): void
}

interface Point {
  x: number
  y: number
}

export class Hand {
  /** The slot of the body that is held, and of the one below the pointer; -1 for none. */
  held = -1
  aimed = -1
  /** Where the pointer is. */
  at: Point = { x: 0, y: 0 }
  isDragging = false
  private start: Point = { x: 0, y: 0 }
  private readonly pointers = new Map<number, Point>()

  constructor(
    canvas: HTMLCanvasElement,
    private readonly camera: Camera,
    private readonly asked: Asked,
  ) {
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId)
      this.down(event.pointerId, this.pointOf(canvas, event))
    })
    canvas.addEventListener('pointermove', (event) => this.move(event.pointerId, this.pointOf(canvas, event)))
    canvas.addEventListener('pointerup', (event) => this.up(event.pointerId))
    canvas.addEventListener('pointercancel', (event) => {
      this.letGo()
      this.pointers.delete(event.pointerId)
    })
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault()
        this.camera.zoom(Math.exp(event.deltaY * (event.deltaMode === 0 ? 0.0012 : 0.05)))
      },
      { passive: false },
    )
  }

  private pointOf(canvas: HTMLCanvasElement, event: PointerEvent): Point {
    const { left, top } = canvas.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  private letGo(): void {
    this.held = -1
    this.aimed = -1
    this.isDragging = false
  }

  private down(id: number, point: Point): void {
    this.pointers.set(id, point)
    this.at = point
    this.start = point
    this.letGo()
    if (this.pointers.size === 1) this.held = this.asked.pick(point.x, point.y, -1)
  }

  private move(id: number, point: Point): void {
    const before = this.pointers.get(id)
    if (before === undefined) return
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([one]) => one !== id).map(([, at]) => at)
      const spread = (a: Point) => Math.max(20, Math.hypot(a.x - other.x, a.y - other.y))
      this.camera.zoom(spread(before) / spread(point))
    }
    this.pointers.set(id, point)
    this.at = point
    if (this.pointers.size > 1) return
    this.isDragging ||= Math.hypot(point.x - this.start.x, point.y - this.start.y) > SLACK
    if (!this.isDragging) return
    if (this.held < 0) this.camera.turn(point.x - before.x, point.y - before.y)
    else this.aimed = this.asked.pick(point.x, point.y, this.held)
  }

  private up(id: number): void {
    const { held, aimed, isDragging } = this
    const wasAlone = this.pointers.size === 1
    this.pointers.delete(id)
    this.letGo()
    if (!wasAlone) return
    if (!isDragging) this.asked.choose(held)
    else if (held >= 0 && aimed >= 0) this.asked.drop(held, aimed)
  }
}
