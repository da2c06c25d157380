// Owns: what is shown while a run is going: a bar in a terminal, a few lines in a pipe or a log.
// Must never: write to standard output, which belongs to the report.

import { SingleBar } from 'cli-progress'

const LINES_WITHOUT_TERMINAL = 6

/**
 * @param {string} name of the model that runs
 * @param {number} days
 * @param {NodeJS.WriteStream} stream
 * @param {number} [past] days that another model has already run
 */
export function createProgress(name, days, stream, past = 0) {
  const started = performance.now()
  const ticksPerSecond = (day) => Math.round(((day - past) / (performance.now() - started)) * 1000)
  return stream.isTTY
    ? bar(name, days, stream, ticksPerSecond, past)
    : lines(name, days, stream, ticksPerSecond)
}

function bar(name, days, stream, ticksPerSecond, past) {
  const shown = new SingleBar({
    stream,
    format: `${name.padEnd(13)} {bar} day {value}/{total}  {entities} entities  {infectious} infectious  {speed} ticks/s`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    fps: 20,
    // A handler for Ctrl-C would wait for the event loop, which a running simulation never returns to.
    gracefulExit: false,
  })
  shown.start(days, past, { entities: '-', infectious: '-', speed: '-' })
  return {
    update(figures, entities) {
      shown.update(figures.day, payload(figures, entities, ticksPerSecond))
    },
    stop: () => shown.stop(),
  }
}

function lines(name, days, stream, ticksPerSecond) {
  const step = Math.ceil(days / LINES_WITHOUT_TERMINAL)
  return {
    update(figures, entities) {
      if (figures.day % step !== 0 && figures.day !== days) return
      const { entities: count, infectious, speed } = payload(figures, entities, ticksPerSecond)
      stream.write(
        `${name}: day ${figures.day}/${days}, ${count} entities, ${infectious} infectious, ${speed} ticks/s\n`,
      )
    },
    stop() {},
  }
}

function payload(figures, entities, ticksPerSecond) {
  return {
    entities: entities.toLocaleString('en-US'),
    infectious: figures.infectious.toLocaleString('en-US'),
    speed: ticksPerSecond(figures.day),
  }
}
