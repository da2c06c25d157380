// The page: the scene, what shows it, what the pointer does to it, and the clock.

import { BODIES } from './scene/components.ts'
import { createOrrery, type Orrery } from './scene/orrery.ts'
import { createPlain, type Plain } from './scene/plain.ts'
import { KINDS } from './scene/population.ts'
import { followInspectorKey } from './view/inspector.ts'
import { Camera } from './view/camera.ts'
import { Hand } from './view/hand.ts'
import { Painter } from './view/painter.ts'
import { pick } from './view/picking.ts'

declare global {
  /** For whoever tries things in the console, and for tests. */
  var demo: {
    readonly orrery: Orrery
    readonly camera: Camera
    /** Seconds of the scene. */
    time: number
    paused: boolean
    frames: number
    /** Where all bodies are, by slot, as they were drawn last. */
    places: Float32Array
    plain: boolean
    /** The greatest difference between the places that kernels and objects compute for this moment. */
    difference: () => number
  }
}

/** From here all of it is seen. */
const WHOLE = 330
/** Of this many frames the time is told as a mean. */
const SMOOTH = 20
/** A page in the background makes no frames: the scene goes on from where it was. */
const LONGEST_STEP = 0.1

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E
const canvas = find<HTMLCanvasElement>('view')
const gl = canvas.getContext('webgl2', { antialias: false, alpha: false })
const said = find('said')

const orrery = createOrrery()
let plain: Plain | undefined
const plainScene = () => (plain ??= createPlain(orrery))
const looks = new Float32Array(4 * BODIES)
orrery.bodies.forEach((entity, slot) => {
  const { size, kind } = orrery.bodyOf(entity)
  looks.set([size, kind, ((slot * 0.618034) % 1) * (kind === 0 ? 0.9 : 1), 0], 4 * slot)
})

const camera = new Camera()
camera.distance = WHOLE
const painter = gl && new Painter(gl, looks, BODIES)
/** The slot that the viewer follows; -1 for the middle of it all. */
let followed = -1
let timer: ReturnType<typeof setTimeout> | undefined

globalThis.demo = {
  orrery,
  camera,
  time: 0,
  paused: false,
  frames: 0,
  places: orrery.step(0),
  plain: false,
  difference() {
    const ours = orrery.step(demo.time)
    const theirs = plainScene().step(demo.time)
    return ours.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i])), 0)
  },
}

function tell(text: string): void {
  said.textContent = text
  said.classList.add('shown')
  clearTimeout(timer)
  timer = setTimeout(() => said.classList.remove('shown'), 3500)
}

function nameOf(slot: number): string {
  const entity = orrery.bodies[slot]
  const children = orrery.childrenOf(entity)
  const what = KINDS[orrery.bodyOf(entity).kind]
  return children === 0 ? what : `${what}, with ${children.toLocaleString('en')} around it`
}

const hand = new Hand(canvas, camera, {
  pick: (x, y, except) => pick(camera, demo.places, looks, x, y, except),
  choose(slot) {
    followed = slot
    if (slot < 0) return
    camera.distance = Math.min(camera.distance, Math.max(2.2, looks[4 * slot] * 16))
    tell(nameOf(slot))
  },
  drop(slot, on) {
    const [entity, parent] = [orrery.bodies[slot], orrery.bodies[on]]
    if (!orrery.canHang(entity, parent)) return tell('It cannot circle around what circles around it')
    orrery.hang(entity, parent, demo.time)
    plain?.hang(entity, parent)
    tell(
      `${KINDS[orrery.bodyOf(entity).kind]} now circles around the ${KINDS[orrery.bodyOf(parent).kind].toLowerCase()}`,
    )
  },
})

// ── switches ──────────────────────────────────────────────────────────────────────────────────────────────

const buttons = { kernel: find<HTMLButtonElement>('kernel'), plain: find<HTMLButtonElement>('plain') }
const times = { kernel: find('kernel-time'), plain: find('plain-time') }
const means = { kernel: 0, plain: 0 }

function compute(isPlain: boolean): void {
  if (isPlain) plainScene()
  demo.plain = isPlain
  buttons.plain.setAttribute('aria-pressed', String(isPlain))
  buttons.kernel.setAttribute('aria-pressed', String(!isPlain))
}

buttons.kernel.addEventListener('click', () => compute(false))
buttons.plain.addEventListener('click', () => compute(true))
find('home').addEventListener('click', () => {
  followed = -1
  camera.distance = WHOLE
})
const pause = find<HTMLButtonElement>('pause')
pause.addEventListener('click', () => {
  demo.paused = !demo.paused
  pause.setAttribute('aria-pressed', String(demo.paused))
})

followInspectorKey(orrery, {
  get paused() {
    return demo.paused
  },
  set paused(on) {
    if (on !== demo.paused) pause.click()
  },
  follow(slot) {
    followed = slot
    camera.distance = Math.min(camera.distance, Math.max(2.2, looks[4 * slot] * 16))
  },
})

// ── the clock ─────────────────────────────────────────────────────────────────────────────────────────────

const thread = find('thread')
let last = performance.now()

function frame(now: number): void {
  const step = Math.min(LONGEST_STEP, (now - last) / 1000)
  last = now
  if (!demo.paused) {
    demo.time += step
    if (!hand.isDragging) camera.yaw += step * 0.012
  }
  const began = performance.now()
  demo.places = demo.plain ? plainScene().step(demo.time) : orrery.step(demo.time)
  count(performance.now() - began)
  follow(step)
  fit()
  camera.update()
  painter?.draw(demo.places, camera, hand.held, hand.aimed)
  drawThread()
  demo.frames++
  requestAnimationFrame(frame)
}

function count(took: number): void {
  const way = demo.plain ? 'plain' : 'kernel'
  means[way] += (took - means[way]) / (means[way] === 0 ? 1 : SMOOTH)
  if (demo.frames % 10 === 0) times[way].textContent = `${means[way].toFixed(1)} ms`
}

/** Moves the point that is looked at towards the body that is followed. */
function follow(step: number): void {
  const share = 1 - Math.exp(-step * 5)
  for (let k = 0; k < 3; k++) {
    const wanted = followed < 0 ? 0 : demo.places[4 * followed + k]
    camera.target[k] += (wanted - camera.target[k]) * share
  }
}

function fit(): void {
  const { clientWidth, clientHeight } = canvas
  const ratio = Math.min(2, devicePixelRatio)
  const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)]
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
  camera.width = clientWidth
  camera.height = clientHeight
}

/** A line from the body that is held to the pointer. */
function drawThread(): void {
  const isHeld = hand.held >= 0 && hand.isDragging
  thread.toggleAttribute('hidden', !isHeld)
  if (!isHeld) return
  const at = 4 * hand.held
  const from = camera.spot(demo.places[at], demo.places[at + 1], demo.places[at + 2])
  const end = hand.aimed < 0 ? hand.at : camera.spot(...placeOf(hand.aimed))
  for (const [name, value] of Object.entries({ x1: from.x, y1: from.y, x2: end.x, y2: end.y }))
    thread.firstElementChild?.setAttribute(name, String(value))
}

function placeOf(slot: number): [number, number, number] {
  return [demo.places[4 * slot], demo.places[4 * slot + 1], demo.places[4 * slot + 2]]
}

find('count').textContent = BODIES.toLocaleString('en')
if (painter) tell('Drag a body onto another one')
else tell('This browser draws no WebGL 2: the bodies move unseen')
requestAnimationFrame(frame)
