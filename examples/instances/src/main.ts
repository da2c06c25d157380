// The page: a scene, a camera, a frame, and clicks that lead from an instance to its entity.

import {
  BoxGeometry,
  DirectionalLight,
  HemisphereLight,
  MeshLambertMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  WebGLRenderer,
} from 'three'
import { isNull } from 'strata-ecs'
import { createInstances } from 'strata-ecs/three'
import { element, say } from '../../page/page.ts'
import { Position, Tint, createField } from './field.ts'

/** The hash may say how many there are on a side: fewer for a slow machine. */
const field = createField(Number(location.hash.slice(1)) || 200)
const bodies = createInstances(field.world, [Position, Tint], {
  geometry: new BoxGeometry(0.92, 0.92, 0.92),
  material: new MeshLambertMaterial(),
  position: [Position, ['x', 'y', 'z']],
  color: [Tint, ['r', 'g', 'b']],
})

const scene = new Scene()
const sun = new DirectionalLight(0xffffff, 2.5)
sun.position.set(40, 90, 60)
scene.add(bodies.mesh, new HemisphereLight(0xbfd8ff, 0x202020, 2), sun)
const camera = new PerspectiveCamera(45, 1, 1, 600)
camera.position.set(0, 95, 150)
camera.lookAt(0, -8, 0)

const canvas = element('#view', HTMLCanvasElement)
const renderer = new WebGLRenderer({ canvas, antialias: true })
renderer.setClearColor(0x0d1017)

function resize(): void {
  renderer.setPixelRatio(Math.min(2, devicePixelRatio))
  renderer.setSize(innerWidth, innerHeight, false)
  camera.aspect = innerWidth / innerHeight
  camera.updateProjectionMatrix()
}
addEventListener('resize', resize)
resize()

const show = (id: string, value: string | number) =>
  say(element(`#${id}`, HTMLElement), value.toLocaleString('en-GB'))

const ray = new Raycaster()

/** Pushes the body under a point of the page. */
function touch(x: number, y: number): void {
  ray.setFromCamera(new Vector2((x / innerWidth) * 2 - 1, 1 - (y / innerHeight) * 2), camera)
  const body = bodies.entityAt(ray.intersectObject(bodies.mesh)[0]?.instanceId)
  if (isNull(body)) return
  field.push(body)
  show('picked', `Entity ${body} was hit.`)
}
canvas.addEventListener('pointerdown', ({ clientX, clientY }) => touch(clientX, clientY))

const demo = { field, bodies, renderer, frames: 0, rows: 0, touch }
/** For the tests of the page, and for the console. */
Object.assign(globalThis, { demo })

let last = 0
function frame(now: number): void {
  field.step(Math.min(0.03, (now - last) / 1000))
  last = now
  demo.rows = bodies.update()
  renderer.render(scene, camera)
  demo.frames++
  show('count', bodies.count)
  show('awake', field.awake.count)
  show('rows', demo.rows)
  requestAnimationFrame(frame)
}
requestAnimationFrame(frame)
