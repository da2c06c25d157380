// Owns what is said of the machine in Node. It must never be asked while something is measured.
import os from 'node:os'

/** What results.js writes of a machine. */
export const thisMachine = () => ({
  processor: os.cpus()[0].model.trim(),
  cores: os.cpus().length,
  memory: os.totalmem(),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  v8: process.versions.v8,
})

/** How many programs want a core, averaged over the last minute. 0 where the system does not tell. */
export const loadNow = () => os.loadavg()[0]
