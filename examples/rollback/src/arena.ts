// The picture of a world as one player sees it, guesses and all.

import { fit } from '../../page/page.ts'
import { HEIGHT, SHIP_RADIUS, SHOT_RADIUS, WIDTH } from './game/components.ts'
import type { Arena } from './game/game.ts'

/** The colours of the page as they are now: of the players, of rocks, and of ink. */
export function readColours() {
  // light-dark() is resolved only where a property takes a colour.
  const probe = document.createElement('i')
  document.body.append(probe)
  const [first, second, rock, ink] = ['--accent', '--warning', '--rock', '--quiet'].map((name) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  })
  probe.remove()
  return { players: [first, second] as const, rock, ink }
}
export type Colours = ReturnType<typeof readColours>

export function drawArena(canvas: HTMLCanvasElement, game: Arena, colours: Colours): void {
  fit(canvas)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const scale = canvas.width / WIDTH
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.clearRect(0, 0, WIDTH, HEIGHT)

  const circle = (x: number, y: number, radius: number) => {
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
  }
  context.strokeStyle = colours.rock
  context.lineWidth = 1.6
  game.rocks.each((_, { x, y }, { radius }) => {
    circle(x, y, radius - 0.8)
    context.stroke()
  })
  context.fillStyle = colours.ink
  game.shots.each((_, { x, y }) => {
    circle(x, y, SHOT_RADIUS)
    context.fill()
  })
  game.ships.each((_, { x, y }, { player, lookX, lookY, stunned }) => {
    context.fillStyle = context.strokeStyle = colours.players[player]
    const [along, across] = [lookX * SHIP_RADIUS, lookY * SHIP_RADIUS]
    context.beginPath()
    context.moveTo(x + along * 1.25, y + across * 1.25)
    context.lineTo(x - along - across * 0.8, y - across + along * 0.8)
    context.lineTo(x - along * 0.5, y - across * 0.5)
    context.lineTo(x - along + across * 0.8, y - across - along * 0.8)
    context.closePath()
    // A ship that cannot steer is an outline.
    if (stunned > 0) context.stroke()
    else context.fill()
  })

  context.font = '600 15px system-ui, sans-serif'
  context.textAlign = 'center'
  game.score.forEach((score, player) => {
    context.fillStyle = colours.players[player]
    context.fillText(String(score), WIDTH / 2 + (player === 0 ? -24 : 24), 20)
  })
}
