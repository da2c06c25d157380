// Owns: the text printed at the end: what happened, how long a frame took and what part of it each system.
// Must never: compute what the simulation or the run can tell.

const MEBIBYTE = 1024 * 1024

/**
 * @param {object} outcome
 * @param {string} outcome.name of the inner loops
 * @param {number} outcome.particles drops
 * @param {import('./systems.js').Frame[]} outcome.frames
 * @param {number} outcome.median milliseconds a frame
 * @param {object} outcome.stats of the simulation
 * @param {string} outcome.checksum
 */
export function writeReport({ name, particles, frames, median, stats, checksum }) {
  const last = frames.at(-1)
  const total = (figure) => frames.reduce((sum, frame) => sum + frame[figure], 0)
  return [
    `Drops     ${grouped(particles)}, of which ${grouped(total('reborn'))} began a new life, ` +
      `${grouped(total('reborn') / frames.length)} a frame`,
    `Sparks    ${grouped(total('lit'))} made, ${grouped(total('burnt'))} destroyed, ${grouped(last.sparks)} there are; ` +
      `light ${grouped(last.light)}`,
    `Highest   ${Math.max(...frames.map(({ highest }) => highest)).toFixed(2)} m`,
    `Frame     ${median.toFixed(2)} ms with ${name} (median of ${frames.length}), ` +
      `${grouped((particles + last.sparks) / median / 1000)} million entities/s`,
    `Systems   ${systemTimes(stats.systems)}`,
    `Memory    ${(stats.bytesUsed / MEBIBYTE).toFixed(1)} MiB used of ${(stats.bytesReserved / MEBIBYTE).toFixed(1)} MiB ` +
      `reserved by the world, ${grouped(stats.chunks)} chunks`,
    `Checksum  ${checksum}`,
  ].join('\n')
}

/** Milliseconds that each took on average, and what part of all that is. */
function systemTimes(systems) {
  const all = systems.reduce((sum, { totalMs }) => sum + totalMs, 0)
  return systems
    .map(
      ({ name, meanMs, totalMs }) =>
        `${name} ${meanMs.toFixed(2)} ms (${((100 * totalMs) / all).toFixed(0)} %)`,
    )
    .join(', ')
}

function grouped(value) {
  return Math.round(value).toLocaleString('en-US')
}
