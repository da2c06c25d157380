// Says how much address space a worker takes, in MB.
import { readFileSync } from 'node:fs'
import { workers } from 'strata-ecs/workers'

const reserved = () => Number(/VmSize:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
const before = reserved()
const pool = workers({ count: 1 })
await pool.ready
console.log(pool.stats().workers, Math.round(reserved() - before))
