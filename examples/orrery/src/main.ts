// The page: the scene, what shows it, what the pointer does to it, and the clock.

import type { Entity } from 'strata-ecs'
import { element, fit, say } from '../../page/page.ts'
import { BODIES } from './scene/components.ts'
import { createOrrery } from './scene/orrery.ts'
import { createPlain, type Plain } from './scene/plain.ts'
import { KINDS } from './scene/population.ts'
import { Camera } from './view/camera.ts'
import { Hand } from './view/hand.ts'
import { Painter } from './view/painter.ts'
import { pick } from './view/picking.ts'

/** From here all of it is seen. */
const WHOLE = 330
/** Of this many frames the time is told as a mean. */
const SMOOTH = 20
/** A page in the background makes no frames: the scene goes on from where it was. */
const LONGEST_STEP = 0.1

const button = (id: string) => element(`#${id}`, HTMLButtonElement)
const canvas = element('#view', HTMLCanvasElement)
const gl = canvas.getContext('webgl2', { antialias: false, alpha: false })

const orrery = createOrrery()
let plain: Plain | undefined
const plainScene = () => (plain ??= createPlain(orrery))
/** For each slot size, kind, hue and 0. */
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

const demo = {
  orrery,
  camera,
  /** Seconds of the scene. */
  time: 0,
  paused: false,
  frames: 0,
  /** Where all bodies are, by slot, as they were drawn last. */
  places: orrery.step(0),
  plain: false,
  /** The greatest difference between the places that kernels and objects compute for this moment. */
  difference() {
    const ours = orrery.step(demo.time)
    const theirs = plainScene().step(demo.time)
    return ours.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i])), 0)
  },
}
/** For the console, and for tests. */
Object.assign(globalThis, { demo })

let timer: ReturnType<typeof setTimeout> | undefined
function tell(text: string): void {
  const said = element('#said', HTMLElement)
  say(said, text)
  clearTimeout(timer)
  timer = setTimeout(() => say(said, ''), 3500)
}

const kindOf = (entity: Entity) => KINDS[orrery.bodyOf(entity).kind]

/** Turns the view to a body, and comes near. */
function follow(slot: number): void {
  followed = slot
  camera.distance = Math.min(camera.distance, Math.max(2.2, looks[4 * slot] * 16))
}

const hand = new Hand(canvas, camera, {
  pick: (at, except) => pick(camera, demo.places, looks, at, except),
  choose(slot) {
    if (slot < 0) return void (followed = -1)
    follow(slot)
    const entity = orrery.bodies[slot]
    const children = orrery.childrenOf(entity)
    const crowd = children === 0 ? '' : `, with ${children.toLocaleString('en')} around it`
    tell(`${kindOf(entity)}${crowd}`)
  },
  drop(slot, on) {
    const [entity, parent] = [orrery.bodies[slot], orrery.bodies[on]]
    if (!orrery.canHang(entity, parent)) return tell('It cannot circle around what circles around it')
    orrery.hang(entity, parent, demo.time)
    plain?.hang(entity, parent)
    tell(`${kindOf(entity)} now circles around the ${kindOf(parent).toLowerCase()}`)
  },
})

function compute(isPlain: boolean): void {
  // Not in a frame: what that takes is shown.
  if (isPlain) plainScene()
  demo.plain = isPlain
  button('plain').ariaPressed = String(isPlain)
  button('kernel').ariaPressed = String(!isPlain)
}
button('kernel').addEventListener('click', () => compute(false))
button('plain').addEventListener('click', () => compute(true))
button('home').addEventListener('click', () => {
  followed = -1
  camera.distance = WHOLE
})
const clock = {
  get paused() {
    return demo.paused
  },
  set paused(on: boolean) {
    demo.paused = on
    button('pause').ariaPressed = String(on)
  },
}
button('pause').addEventListener('click', () => (clock.paused = !clock.paused))

/** Loads the inspector of the world when its key is pressed first; from then on, it has its key itself. */
async function openInspector(event: KeyboardEvent): Promise<void> {
  if (event.key !== 'F2') return
  event.preventDefault()
  removeEventListener('keydown', onKey)
  const { installInspector } = await import('strata-ecs/inspector')
  const { element } = installInspector(orrery.world, { key: 'F2', open: true, theme: 'dark', clock })
  element.addEventListener('follow', (event) => {
    const { entity } = (event as CustomEvent<{ entity: Entity | undefined }>).detail
    if (entity !== undefined && orrery.world.isAlive(entity)) follow(orrery.bodyOf(entity).slot)
  })
}
const onKey = (event: KeyboardEvent) =>
  void openInspector(event).catch(() => addEventListener('keydown', onKey))
addEventListener('keydown', onKey)

const means = { kernel: 0, plain: 0 }
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
  fit(canvas)
  camera.width = canvas.clientWidth
  camera.height = canvas.clientHeight
  approach(step)
  camera.update()
  painter?.draw(demo.places, camera, hand.held, hand.aimed)
  drawThread()
  demo.frames++
  requestAnimationFrame(frame)
}

function count(took: number): void {
  const way = demo.plain ? 'plain' : 'kernel'
  means[way] += (took - means[way]) / (means[way] === 0 ? 1 : SMOOTH)
  if (demo.frames % 10 === 0) say(element(`#${way} small`, HTMLElement), `${means[way].toFixed(1)} ms`)
}

/** Moves the point that is looked at towards the body that is followed. */
function approach(step: number): void {
  const share = 1 - Math.exp(-step * 5)
  for (let k = 0; k < 3; k++) {
    const wanted = followed < 0 ? 0 : demo.places[4 * followed + k]
    camera.target[k] += (wanted - camera.target[k]) * share
  }
}

/** A line from the body that is held to the pointer, or to the body below it. */
function drawThread(): void {
  const isHeld = hand.held >= 0 && hand.isDragging
  const thread = element('#thread', SVGElement)
  thread.toggleAttribute('hidden', !isHeld)
  if (!isHeld) return
  const { places } = demo
  const spotOf = (slot: number) => camera.spot(places[4 * slot], places[4 * slot + 1], places[4 * slot + 2])
  const from = spotOf(hand.held)
  const end = hand.aimed < 0 ? hand.at : spotOf(hand.aimed)
  for (const [name, value] of Object.entries({ x1: from.x, y1: from.y, x2: end.x, y2: end.y }))
    thread.firstElementChild?.setAttribute(name, String(value))
}

say(element('#count', HTMLElement), BODIES.toLocaleString('en'))
tell(painter ? 'Drag a body onto another one' : 'This browser draws no WebGL 2: the bodies move unseen')
requestAnimationFrame(frame)
