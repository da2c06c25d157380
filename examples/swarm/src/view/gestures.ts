// What fingers, mice and wheels do on the canvas: drag, pinch, wheel, tap.

import type { Camera } from './camera.ts'

/** A pointer that moved no further than this, in CSS pixels, tapped. */
const TAP_SLACK = 6
/** How far around it, in CSS pixels, a tap is meant. */
const REACH = { mouse: 10, pen: 14, touch: 26 }
/** Part of e that one pixel of the wheel zooms by; a pinch on a touchpad comes as a wheel with Control, in smaller numbers. */
const WHEEL = 0.0015
const TOUCHPAD_PINCH = 0.01
/** A wheel that counts lines or pages says so: CSS pixels of each. */
const WHEEL_PIXELS = [1, 16, 400]

/** Told of a place in units of the square, and how far around it a tap is meant. */
export type OnTap = (x: number, y: number, radius: number) => void

/** Lets a canvas be dragged, pinched and tapped. */
export function listenToGestures(canvas: HTMLCanvasElement, camera: Camera, tap: OnTap): void {
  const fingers = new Map<number, { x: number; y: number }>()
  // Where the first finger came down; null once it was more than a tap.
  let tapAt: { x: number; y: number } | null = null

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return
    canvas.setPointerCapture(event.pointerId)
    const at = { x: event.offsetX, y: event.offsetY }
    tapAt = fingers.size === 0 ? { ...at } : null
    fingers.set(event.pointerId, at)
  }

  const move = (event: PointerEvent) => {
    const finger = fingers.get(event.pointerId)
    if (!finger) return
    const { offsetX: x, offsetY: y } = event
    if (tapAt) {
      if (Math.hypot(x - tapAt.x, y - tapAt.y) <= TAP_SLACK) return
      tapAt = null
      canvas.style.cursor = 'grabbing'
    }
    if (fingers.size === 1) camera.drag(x - finger.x, y - finger.y)
    else if (fingers.size === 2) pinch(finger, x, y)
    finger.x = x
    finger.y = y
  }

  /** One of two fingers moves: what was between them stays between them. */
  const pinch = (finger: { x: number; y: number }, x: number, y: number) => {
    for (const other of fingers.values()) {
      if (other === finger) continue
      const before = Math.hypot(finger.x - other.x, finger.y - other.y)
      const after = Math.hypot(x - other.x, y - other.y)
      camera.drag((x - finger.x) / 2, (y - finger.y) / 2)
      if (before > 0 && after > 0) camera.zoomBy(after / before, (x + other.x) / 2, (y + other.y) / 2)
    }
  }

  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return
    if (fingers.size === 0) canvas.style.cursor = ''
    if (!tapAt) return
    const reach = REACH[event.pointerType as keyof typeof REACH] ?? REACH.mouse
    tap(camera.worldX(tapAt.x), camera.worldY(tapAt.y), reach / camera.scale)
    tapAt = null
  }

  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    const pixels = event.deltaY * (WHEEL_PIXELS[event.deltaMode] ?? 1)
    camera.zoomBy(Math.exp(-pixels * (event.ctrlKey ? TOUCHPAD_PINCH : WHEEL)), event.offsetX, event.offsetY)
  }

  canvas.addEventListener('pointerdown', down)
  canvas.addEventListener('pointermove', move)
  canvas.addEventListener('pointerup', up)
  canvas.addEventListener('pointercancel', (event) => {
    tapAt = null
    up(event)
  })
  canvas.addEventListener('wheel', wheel, { passive: false })
}
