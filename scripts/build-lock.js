// Owns the lock of a build, build/stamps/lock: one process writes outputs at a time, and others wait for it. It must never
// outlive the process that took it.

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const SIGN_OF_LIFE_MS = 1_000
/** A lock without a sign of life for so long is nobody's: its process died elsewhere, where its number means nothing here. */
const GIVEN_UP_MS = 30_000
const LOOK_AGAIN_MS = 200

/**
 * Does `work` while no other process does any in this repository.
 *
 * @param root the folder of the repository
 * @param work called once; the lock is free when its promise is settled
 * @param say takes a sentence when another process has to be waited for
 * @returns what `work` returns
 */
export async function withBuildLock(root, work, say) {
  const folder = join(root, 'build/stamps')
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'lock')
  let waited = false
  while (!take(lock)) {
    if (isLeft(lock)) {
      removeLeft(lock)
      continue
    }
    if (!waited) say('Another build is running here: waiting for its end.')
    waited = true
    await wait(LOOK_AGAIN_MS)
  }
  const signOfLife = setInterval(() => {
    const now = new Date()
    // Where the whole folder was deleted there is no lock, and the build goes on.
    utimes(lock, now, now).catch(() => {})
  }, SIGN_OF_LIFE_MS)
  try {
    return await work()
  } finally {
    clearInterval(signOfLife)
    rmSync(lock, { force: true })
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Whether the process that took the lock is gone. */
function isLeft(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > GIVEN_UP_MS) return true
    const taker = Number(readFileSync(lock, 'utf8'))
    // Between the making of the file and the writing into it there is no number yet.
    if (taker > 0) process.kill(taker, 0)
    return false
  } catch (error) {
    // EPERM: it runs, as somebody else's. ENOENT: the lock was freed just now.
    return error.code === 'ESRCH'
  }
}

/** Of several that find the same lock left, one renames it. */
function removeLeft(lock) {
  const left = `${lock}.${process.pid}`
  try {
    renameSync(lock, left)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  rmSync(left, { force: true })
}
