// Owns: running a simulation frame after frame and timing each.
// Must never: know which inner loops it runs with, or print anything.

/**
 * @param {ReturnType<typeof import('./simulation.js').createSimulation>} simulation
 * @param {number} count of frames
 * @param {(frame: import('./systems.js').Frame) => void} [afterFrame]
 */
export function run(simulation, count, afterFrame = () => {}) {
  const frames = []
  const milliseconds = new Float64Array(count)
  for (let done = 0; done < count; done++) {
    const started = performance.now()
    const frame = simulation.runFrame()
    milliseconds[done] = performance.now() - started
    frames.push(frame)
    afterFrame(frame)
  }
  return { frames, milliseconds, median: median(milliseconds) }
}

export function median(values) {
  const sorted = Float64Array.from(values).sort()
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}
