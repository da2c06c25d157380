// Owns the proof that the camera keeps to the torus, and that zooming keeps what is under the finger.

import { beforeEach, describe, expect, test } from 'vitest'
import { SIZE } from '../../examples/swarm/src/simulation/settings'
import { Camera, LEAST_ZOOM, MOST_ZOOM, shortestWay, wrapped } from '../../examples/swarm/src/view/camera'

let camera: Camera

beforeEach(() => {
  camera = new Camera()
  camera.width = 1920
  camera.height = 1080
})

describe('places on the torus', () => {
  test.each([
    [0, 0],
    [SIZE, 0],
    [-1, SIZE - 1],
    [3 * SIZE + 5, 5],
    // So near below 0 that adding SIZE rounds up to it.
    [-1e-20, 0],
  ])('%d is %d', (at, inside) => {
    expect(wrapped(at)).toBe(inside)
  })

  test('the shortest way goes over the edge where that is nearer', () => {
    expect(shortestWay(10, 30)).toBe(20)
    expect(shortestWay(30, 10)).toBe(-20)
    expect(shortestWay(SIZE - 10, 10)).toBe(20)
    expect(shortestWay(10, SIZE - 10)).toBe(-20)
  })
})

describe('what is seen', () => {
  test.each([
    [1920, 1080],
    [390, 844],
    [500, 500],
  ])('at a zoom of 1 the longer side of %d x %d is as long as the square', (width, height) => {
    camera.width = width
    camera.height = height
    expect(camera.scale * SIZE).toBe(Math.max(width, height))
  })

  test('pixels are places around the centre', () => {
    expect(camera.worldX(960)).toBe(SIZE / 2)
    expect(camera.worldY(540)).toBe(SIZE / 2)
    expect(camera.worldX(0)).toBe(0)
    expect(camera.worldX(480)).toBe(SIZE / 4)
    // Down is up in numbers.
    expect(camera.worldY(540 + 480)).toBe((SIZE * 3) / 4)
  })

  test('beyond the edge the square goes on', () => {
    camera.x = 0
    expect(camera.worldX(960 - 192)).toBeCloseTo(SIZE * 0.9)
    expect(camera.worldX(960 + 192)).toBeCloseTo(SIZE * 0.1)
  })
})

describe('panning', () => {
  test('a drag takes along what was under the finger', () => {
    const [x, y] = [camera.worldX(300), camera.worldY(200)]
    camera.drag(120, -50)
    expect(camera.worldX(420)).toBeCloseTo(x)
    expect(camera.worldY(150)).toBeCloseTo(y)
  })

  test('half a view to the right shows what was at the right edge', () => {
    camera.zoomBy(4)
    const x = camera.worldX(1920)
    camera.panBy(0.5, 0)
    expect(camera.x).toBeCloseTo(x)
    expect(camera.y).toBe(SIZE / 2)
  })

  test('panning never ends, and the centre stays in the square', () => {
    for (let k = 0; k < 1000; k++) {
      camera.panBy(0.3, -0.7)
      expect(camera.x >= 0 && camera.x < SIZE && camera.y >= 0 && camera.y < SIZE).toBe(true)
    }
    expect(camera.x).toBeCloseTo(wrapped(SIZE / 2 + 1000 * 0.3 * SIZE))
  })
})

describe('zooming', () => {
  test('keeps what is at the pixel', () => {
    const [x, y] = [camera.worldX(1500), camera.worldY(100)]
    camera.zoomBy(3, 1500, 100)
    expect(camera.zoom).toBe(3)
    expect(shortestWay(camera.worldX(1500), x)).toBeCloseTo(0)
    expect(shortestWay(camera.worldY(100), y)).toBeCloseTo(0)
  })

  test('in and out again leads back', () => {
    camera.zoomBy(5, 100, 900)
    camera.zoomBy(1 / 5, 100, 900)
    expect(camera.x).toBeCloseTo(SIZE / 2)
    expect(camera.y).toBeCloseTo(SIZE / 2)
    expect(camera.zoom).toBeCloseTo(1)
  })

  test('without a pixel keeps the centre', () => {
    camera.zoomBy(7)
    expect([camera.x, camera.y]).toEqual([SIZE / 2, SIZE / 2])
  })

  test('ends at both ends, where the view does not slip either', () => {
    camera.zoomBy(1e9, 10, 10)
    expect(camera.zoom).toBe(MOST_ZOOM)
    const { x, y } = camera
    camera.zoomBy(2, 10, 10)
    expect([camera.x, camera.y]).toEqual([x, y])
    camera.zoomBy(1e-9)
    expect(camera.zoom).toBe(LEAST_ZOOM)
  })

  test('reset shows the whole of the square', () => {
    camera.zoomBy(9, 3, 4)
    camera.following = true
    camera.reset()
    expect([camera.x, camera.y, camera.zoom, camera.following]).toEqual([SIZE / 2, SIZE / 2, 1, false])
  })
})

describe('following', () => {
  test('stands still while the agent is in the middle part of the view', () => {
    camera.approach(SIZE / 2 + 100, SIZE / 2 - 50, 1)
    expect([camera.x, camera.y]).toEqual([SIZE / 2, SIZE / 2])
  })

  test('goes after an agent that leaves it, over the edge too', () => {
    camera.zoomBy(8)
    camera.x = 0
    camera.approach(SIZE - 60, SIZE / 2, 1)
    const middle = (0.2 * SIZE) / 8
    expect(camera.x).toBeCloseTo(SIZE - 60 + middle)
    expect(camera.y).toBe(SIZE / 2)
  })

  test('a share of the way is gone at once', () => {
    camera.zoomBy(8)
    const middle = (0.2 * SIZE) / 8
    camera.approach(SIZE / 2 + middle + 40, SIZE / 2, 0.25)
    expect(camera.x).toBeCloseTo(SIZE / 2 + 10)
  })

  test('ends when one pans, not when one zooms', () => {
    camera.following = true
    camera.zoomBy(2, 5, 5)
    expect(camera.following).toBe(true)
    camera.panBy(0.1, 0)
    expect(camera.following).toBe(false)
  })
})
