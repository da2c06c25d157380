// Owns the Redis that tests start: finds its server, and installs it where that is possible. It must never start one, nor
// download it from anywhere but the system's own packages.
//
// `node scripts/redis.js` installs what is missing, or says what is.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const USUAL_PATHS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server']

/** What is asked of the machine; tests ask another. */
const thisSystem = {
  environment: process.env,
  isRoot: process.getuid?.() === 0,
  exists: existsSync,
  run: (program, ...parameters) =>
    execFileSync(program, parameters, {
      stdio: ['ignore', 'ignore', 'inherit'],
      // At this run level, the package starts no service.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    }),
}

/** The path of a redis-server: the one that REDIS_SERVER names, or one that is installed; undefined when there is none. */
export function presentRedis({ environment, exists } = thisSystem) {
  if (environment.REDIS_SERVER) return environment.REDIS_SERVER
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...USUAL_PATHS, ...folders.map((folder) => join(folder, 'redis-server'))].find(exists)
}

/**
 * Installs redis-server on Debian as root, unless there is one.
 *
 * @returns {string} a sentence that says what there is now
 */
export function installRedis(system = thisSystem) {
  const present = presentRedis(system)
  if (present) return `Redis: ${present}`
  const { isRoot, exists, run } = system
  const missing =
    'There is no redis-server here, so tests of queues are left out: install one, or set REDIS_SERVER.'
  if (!isRoot || !exists('/etc/debian_version') || !exists('/usr/bin/apt-get')) return missing
  try {
    run('/usr/bin/apt-get', 'update', '--quiet')
    // Another program may be installing: its lock is waited for.
    run('/usr/bin/apt-get', 'install', '--quiet', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'redis-server') // prettier-ignore
  } catch (cause) {
    return `${missing} (apt-get could not: ${cause.message})`
  }
  const installed = presentRedis(system)
  return installed ? `Redis: ${installed}` : missing
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(installRedis())
}
