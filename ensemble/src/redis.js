// Owns the connection to Redis: the libraries for it, which not everybody has installed, what is in it under which names,
// and how long a lost connection is waited for. It must never write a password where people see it.

import { EnsembleError } from './errors.js'

const INSTALL = 'A queue needs two more packages: npm install bullmq ioredis.'
const RETRY_MS = 250

/** Names of everything in Redis begin with this. */
export const PREFIX = 'strata-ensemble'

/** The queue of a module: another text of it has another queue. */
export const queueName = ({ name, hash }) => `${name.replaceAll(':', '-')}-${hash.slice(0, 12)}`

/** What there is of a queue beside the queue itself. */
export const keysOf = (source) => ({
  /** The call that collects the results; expires. */
  collector: `${PREFIX}:${queueName(source)}:collector`,
  /** The ensemble that the jobs belong to. */
  ensemble: `${PREFIX}:${queueName(source)}:ensemble`,
  /** The hashes of the texts of this name that runs were handed out of. */
  texts: `${PREFIX}:texts:${source.name}`,
  /** The checkpoint of a run. */
  checkpoint: (/** @type {string} */ key) => `${PREFIX}:${queueName(source)}:checkpoint:${key}`,
})

/** The id of a run's job. Ids may not be whole numbers, which a key could look like. */
export const jobIdOf = (/** @type {string} */ key) => `run-${key}`

/** @returns {Promise<{ bullmq: typeof import('bullmq'), Redis: typeof import('ioredis').Redis }>} */
async function loadLibraries() {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')])
    return { bullmq, Redis }
  } catch (cause) {
    throw new EnsembleError('NO_QUEUE_LIBRARY', INSTALL, { cause })
  }
}

/**
 * Connects to Redis.
 *
 * @param {string} url redis://host:port
 * @param {number} patienceSeconds how long a connection that cannot be made, or was lost, is waited for
 * @returns what connects; and `lost`, which rejects with REDIS_LOST once the patience is used up
 * @throws {EnsembleError} NO_QUEUE_LIBRARY, BAD_OPTION
 */
export async function connectRedis(url, patienceSeconds) {
  const { bullmq, Redis } = await loadLibraries()
  const { host, protocol } = parse(url)
  if (!/^rediss?:$/.test(protocol)) {
    throw new EnsembleError(
      'BAD_OPTION',
      `'${protocol}//${host}' is no address of a Redis: write redis://host:6379.`,
    )
  }
  const connections = []
  let reconnections = 0
  let timer
  let isClosing = false
  let giveUp
  const lost = new Promise((_, reject) => {
    giveUp = () =>
      reject(
        new EnsembleError(
          'REDIS_LOST',
          `Redis at ${host} has not answered for ${patienceSeconds} s. Every result that arrived is kept: ` +
            'when Redis is back, give the same command again.',
        ),
      )
  })
  // Whoever waits for something else sees it there.
  lost.catch(() => {})
  const wait = () => {
    if (!isClosing) timer ??= setTimeout(giveUp, patienceSeconds * 1000)
  }

  /** A new connection; a worker needs two. */
  function connect() {
    const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => RETRY_MS })
    connections.push(redis)
    redis.on('error', () => {})
    redis.on('close', wait)
    redis.on('ready', () => {
      reconnections++
      clearTimeout(timer)
      timer = undefined
    })
    return redis
  }

  wait()
  return {
    bullmq,
    connect,
    lost,
    host,
    /** How often a connection was made: when it changes, Redis may have forgotten things. */
    reconnections: () => reconnections,
    close() {
      isClosing = true
      clearTimeout(timer)
      for (const redis of connections) redis.disconnect()
    },
  }
}

function parse(url) {
  try {
    return new URL(url)
  } catch {
    throw new EnsembleError('BAD_OPTION', 'The address of the queue must be a URL: redis://host:6379.')
  }
}
