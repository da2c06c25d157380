// Owns what the observer writes about one marked ant. The schedule calls tick() once a day while the ant lives;
// the world calls close() when it is gone. It must never change the ant.

import { Body, Load, Nest, Name, Walk } from './components.js'
import { Time } from './resources.js'

export class AntDiary {
  lines = []
  closed = false

  constructor(name, day) {
    this.name = name
    this.firstDay = day
    this.lastDay = day
  }

  tick(dt, ant, world) {
    const { nest, energy } = world.get(ant, Body)
    const { x, y } = world.get(ant, Walk)
    const { x: homeX, y: homeY } = world.get(nest, Nest)
    const steps = Math.max(Math.abs(x - homeX), Math.abs(y - homeY))
    const carries = world.has(ant, Load) ? 'with food' : 'without food'
    this.lastDay = world.resource(Time).day
    this.lines.push(
      `Day ${this.lastDay}: ${steps} steps from ${world.get(nest, Name).value}, ${carries}, energy ${energy}.`,
    )
  }

  close() {
    this.closed = true
  }
}
