// The worker that one measurement has to itself, as in Node it has a process: it is asked once.
import { cases } from '../cases/index.js'
import { measureRow } from '../measurement.js'

/** The smallest step between two readings of `performance.now`, in milliseconds. */
function clockResolution() {
  let smallest = Infinity
  for (let step = 0; step < 40; step++) {
    const start = performance.now()
    let end = start
    while (end === start) end = performance.now()
    smallest = Math.min(smallest, end - start)
  }
  // What floating point adds is no finer clock.
  return Number(smallest.toPrecision(3))
}

async function measure({ library, way, caseName, size, milliseconds, reference, resolution }) {
  const work = cases.find(({ name }) => name === caseName)
  return measureRow({ work, make: work.ways[library][way], size, milliseconds, reference }, { resolution })
}

addEventListener('message', async ({ data }) => {
  try {
    postMessage({ report: data ? await measure(data) : { resolution: clockResolution() } })
  } catch (error) {
    postMessage({ error })
  }
})
