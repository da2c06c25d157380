// Owns the picture of a world as one player sees it, guesses and all. It reads the world and never changes it.

import { Body, Rock, Ship } from '../game/components.ts'
import type { Arena } from '../game/game.ts'
import { HEIGHT, SHIP_RADIUS, SHOT_RADIUS, WIDTH } from '../game/settings.ts'

export interface Colours {
  readonly players: readonly [string, string]
  readonly rock: string
  readonly ink: string
}

/** The colours of the page as they are now. */
export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement)
  // light-dark() is resolved only where a property takes a colour.
  const probe = document.createElement('i')
  document.body.append(probe)
  const colour = (name: string) => {
    probe.style.color = style.getPropertyValue(name)
    return getComputedStyle(probe).color
  }
  const colours: Colours = {
    players: [colour('--first'), colour('--second')],
    rock: colour('--rock'),
    ink: colour('--quiet'),
  }
  probe.remove()
  return colours
}

/** Gives a canvas as many pixels as the screen has there. Returns how many of them lie along a pixel of the page. */
export function fit(canvas: HTMLCanvasElement): number {
  const density = Math.min(2, devicePixelRatio)
  const width = Math.round(canvas.clientWidth * density)
  const height = Math.round(canvas.clientHeight * density)
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  return density
}

export function drawArena(canvas: HTMLCanvasElement, game: Arena, colours: Colours): void {
  fit(canvas)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const scale = canvas.width / WIDTH
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.clearRect(0, 0, WIDTH, HEIGHT)

  context.strokeStyle = colours.rock
  context.lineWidth = 1.6
  for (const chunk of game.rocks) {
    const { x, y } = chunk.read(Body)
    const { radius } = chunk.read(Rock)
    for (let i = chunk.start; i < chunk.end; i++) circle(context, x[i], y[i], radius[i] - 0.8, false)
  }

  context.fillStyle = colours.ink
  for (const chunk of game.shots) {
    const { x, y } = chunk.read(Body)
    for (let i = chunk.start; i < chunk.end; i++) circle(context, x[i], y[i], SHOT_RADIUS, true)
  }

  for (const chunk of game.ships) {
    const { x, y } = chunk.read(Body)
    const { player, lookX, lookY, stunned } = chunk.read(Ship)
    for (let i = chunk.start; i < chunk.end; i++) {
      context.fillStyle = context.strokeStyle = colours.players[player[i]]
      drawShip(context, x[i], y[i], lookX[i], lookY[i], stunned[i] > 0)
    }
  }

  const [first, second] = game.score
  context.font = '600 15px system-ui, sans-serif'
  context.textAlign = 'center'
  context.fillStyle = colours.players[0]
  context.fillText(String(first), WIDTH / 2 - 24, 20)
  context.fillStyle = colours.players[1]
  context.fillText(String(second), WIDTH / 2 + 24, 20)
}

/** A ship that cannot steer is an outline. */
function drawShip(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  lookX: number,
  lookY: number,
  isStunned: boolean,
): void {
  const r = SHIP_RADIUS
  context.beginPath()
  context.moveTo(x + lookX * r * 1.25, y + lookY * r * 1.25)
  context.lineTo(x - lookX * r - lookY * r * 0.8, y - lookY * r + lookX * r * 0.8)
  context.lineTo(x - lookX * r * 0.5, y - lookY * r * 0.5)
  context.lineTo(x - lookX * r + lookY * r * 0.8, y - lookY * r - lookX * r * 0.8)
  context.closePath()
  if (isStunned) context.stroke()
  else context.fill()
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number, isFilled: boolean) {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  if (isFilled) context.fill()
  else context.stroke()
}
