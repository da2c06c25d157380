// Owns: what is shown while a run is going: a bar in a terminal, a few lines in a pipe or a log.
// Must never: write to standard output, which belongs to the report.

import { SingleBar } from 'cli-progress'

const LINES_WITHOUT_TERMINAL = 4

/**
 * @param {string} name what runs
 * @param {number} frames
 * @param {NodeJS.WriteStream} stream
 */
export function createProgress(name, frames, stream) {
  return stream.isTTY ? bar(name, frames, stream) : lines(name, frames, stream)
}

function bar(name, frames, stream) {
  const shown = new SingleBar({
    stream,
    format: `${name.padEnd(8)} {bar} frame {value}/{total}  {sparks} sparks`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    fps: 20,
    // A handler for Ctrl-C would wait for the event loop, which a running simulation never returns to.
    gracefulExit: false,
  })
  shown.start(frames, 0, { sparks: '-' })
  return {
    update: ({ frame, sparks }) => shown.update(frame, { sparks: sparks.toLocaleString('en-US') }),
    stop: () => shown.stop(),
  }
}

function lines(name, frames, stream) {
  const step = Math.ceil(frames / LINES_WITHOUT_TERMINAL)
  return {
    update({ frame, sparks }) {
      if (frame % step !== 0 && frame !== frames) return
      stream.write(`${name}: frame ${frame}/${frames}, ${sparks.toLocaleString('en-US')} sparks\n`)
    },
    stop() {},
  }
}
