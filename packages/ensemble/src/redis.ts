// Owns the connection to Redis: the libraries for it, which may not be installed, what is in it under which names,
// and how long a lost connection is waited for. It must never write a password where people see it.

import type * as BullMQ from 'bullmq'
import type { Redis } from 'ioredis'
import { EnsembleError } from './errors.js'
import type { Source } from './source.js'

const INSTALL = 'A queue needs two more packages: npm install bullmq ioredis.'
const RETRY_MS = 250

/** The longest that a timer takes: 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1

/** What Redis answers when it refuses, by the first word, and what is said of it. What it was sent is never said. */
const REFUSALS: Record<string, [code: string, sentence: string]> = {
  NOAUTH: ['BAD_OPTION', 'wants a password: write it into the address, redis://:password@host:6379.'],
  WRONGPASS: ['BAD_OPTION', 'refuses the name or the password in the address.'],
  NOPERM: ['BAD_OPTION', 'does not let this user do what a queue needs.'],
  OOM: [
    'REDIS_FULL',
    'is full (maxmemory). Every result that arrived is kept: give it more memory, then give the same command again.',
  ],
  READONLY: ['REDIS_REFUSED', 'is a copy that takes no writes: name the one that it is a copy of.'],
  MISCONF: ['REDIS_REFUSED', 'cannot write to its disk, and so takes no writes: its own log says more.'],
}

/** Names of everything in Redis begin with this. */
export const PREFIX: string = 'strata-ensemble'

/** The queue of a module: another text of it has another queue. */
export const queueName = ({ name, hash }: Pick<Source, 'name' | 'hash'>): string =>
  `${name.replaceAll(':', '-')}-${hash.slice(0, 12)}`

/** What there is of a queue beside the queue itself. */
export interface QueueKeys {
  /** The call that collects the results; expires. */
  collector: string
  /** The ensemble that the jobs belong to. */
  ensemble: string
  /** The hashes of the texts of this name that runs are handed out of, by the time when that was last said. */
  texts: string
  /** The checkpoint of a run. */
  checkpoint: (key: string) => string
}

/** The names of what there is. */
export const keysOf = (source: Pick<Source, 'name' | 'hash'>): QueueKeys => ({
  collector: `${PREFIX}:${queueName(source)}:collector`,
  ensemble: `${PREFIX}:${queueName(source)}:ensemble`,
  texts: `${PREFIX}:handedOut:${source.name}`,
  checkpoint: (key) => `${PREFIX}:${queueName(source)}:checkpoint:${key}`,
})

/** The id of a run's job. Ids may not be whole numbers, which a key could look like. */
export const jobIdOf = (key: string): string => `run-${key}`

/** A connection to Redis, and what becomes of it. */
export interface Connection {
  bullmq: typeof BullMQ
  /** A new connection; a worker needs two. */
  connect(): Redis
  /** Rejects with REDIS_LOST once the patience is used up, or with what Redis refuses. */
  lost: Promise<never>
  /** The sentence for what Redis answered; any other error as it is. */
  told(error: unknown): unknown
  host: string
  /** How often a connection was made: when it changes, Redis may have forgotten things. */
  reconnections(): number
  close(): void
}

async function loadLibraries(): Promise<{ bullmq: typeof BullMQ; Redis: typeof Redis }> {
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
 * @param url redis://host:port
 * @param patienceSeconds how long a connection that cannot be made, or was lost, is waited for
 * @returns what connects; and `lost`, which rejects with REDIS_LOST once the patience is used up
 * @throws EnsembleError NO_QUEUE_LIBRARY, BAD_OPTION
 */
export async function connectRedis(url: string, patienceSeconds: number): Promise<Connection> {
  const { bullmq, Redis } = await loadLibraries()
  const { host, protocol } = parse(url)
  if (!/^rediss?:$/.test(protocol)) {
    throw new EnsembleError(
      'BAD_OPTION',
      `'${protocol}//${host}' is no address of a Redis: write redis://host:6379.`,
    )
  }
  const connections: Redis[] = []
  let reconnections = 0
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  let refuse: (error: EnsembleError) => void = () => {}
  const lost = new Promise<never>((_, reject) => {
    refuse = reject
  })
  const giveUp = () =>
    refuse(
      new EnsembleError(
        'REDIS_LOST',
        `Redis at ${host} has not answered for ${patienceSeconds} s. Every result that arrived is kept: ` +
          'when Redis is back, give the same command again.',
      ),
    )
  // Whoever waits for something else sees it there.
  lost.catch(() => {})
  const wait = () => {
    if (!isClosing) timer ??= setTimeout(giveUp, Math.min(patienceSeconds * 1000, LONGEST_MS))
  }
  /** The sentence for what Redis answered; any other error as it is. */
  const told = (error: unknown) => refusal(error, host) ?? error

  /** BullMQ makes connections of its own with the same options: none of them may keep a program alive that has given up. */
  const retryStrategy = () => (isClosing ? null : RETRY_MS)

  /** A new connection; a worker needs two. */
  function connect(): Redis {
    const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy })
    connections.push(redis)
    redis.on('error', (error) => {
      const refused = refusal(error, host)
      if (refused) refuse(refused)
    })
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
    told,
    host,
    reconnections: () => reconnections,
    close() {
      isClosing = true
      clearTimeout(timer)
      for (const redis of connections) redis.disconnect()
    },
  }
}

/** @returns of what Redis answers when it refuses. An answer has the command with it, and that the password. */
function refusal(given: unknown, host: string): EnsembleError | undefined {
  const error = Object(given) as Error & { command?: unknown }
  if (error.name !== 'ReplyError' && error.command === undefined) return undefined
  const [word = ''] =
    /^[A-Z]+/.exec(/ERR (?=[A-Z]{4,} )/.test(error.message) ? error.message.slice(4) : error.message) ?? []
  const [code, sentence] = REFUSALS[word] ?? []
  if (code !== undefined) return new EnsembleError(code, `Redis at ${host} ${sentence}`)
  return new EnsembleError('REDIS_REFUSED', `Redis at ${host} refused: ${error.message}`)
}

function parse(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw new EnsembleError('BAD_OPTION', 'The address of the queue must be a URL: redis://host:6379.')
  }
}
