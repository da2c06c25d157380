// Owns what is shown while a run is going: a bar in a terminal, a few lines in a pipe or a log.
// It must never write to standard output, which belongs to the report.

import { SingleBar } from 'cli-progress'

const LINES_WITHOUT_TERMINAL = 6

/**
 * @param {string} name what runs
 * @param {number} days
 * @param {NodeJS.WriteStream} stream
 */
export function createProgress(name, days, stream) {
  return stream.isTTY ? bar(name, days, stream) : lines(name, days, stream)
}

function bar(name, days, stream) {
  const shown = new SingleBar({
    stream,
    format: `${name} {bar} day {value}/{total}  {ants} ants  {larvae} larvae  {stored} stored`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    fps: 20,
    // A handler for Ctrl-C would wait for the event loop, which a running simulation never returns to.
    gracefulExit: false,
  })
  shown.start(days, 0, { ants: '-', larvae: '-', stored: '-' })
  return {
    update: ({ day, ants, larvae, stored }) => shown.update(day, { ants, larvae, stored }),
    stop: () => shown.stop(),
  }
}

function lines(name, days, stream) {
  const step = Math.ceil(days / LINES_WITHOUT_TERMINAL)
  return {
    update({ day, ants, larvae, stored }) {
      if (day % step !== 0 && day !== days) return
      stream.write(`${name}: day ${day}/${days}, ${ants} ants, ${larvae} larvae, ${stored} food stored\n`)
    },
    stop() {},
  }
}
