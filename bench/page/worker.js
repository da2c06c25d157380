// Owns the worker that one measurement has to itself, as in Node it has a process. It must never be used twice: what one
// library did to the compiler must not be seen by the next.
import { adapters } from 'virtual:adapters'
import { cases } from '../cases/index.js'
import { measureRow } from '../measurement.js'
import { clockResolution } from './clock.js'

addEventListener('message', async ({ data }) => {
  try {
    postMessage({ report: data ? await measure(data) : { resolution: clockResolution() } })
  } catch (error) {
    postMessage({ error })
  }
})

async function measure({ library, way, caseName, size, milliseconds, reference, resolution }) {
  const work = cases.find(({ name }) => name === caseName)
  const { ways } = await adapters[library]()
  return measureRow({ work, make: ways[caseName][way], size, milliseconds, reference }, { resolution })
}
