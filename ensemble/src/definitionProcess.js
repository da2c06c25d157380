// Owns the program of the process in which a module is loaded to see what it defines. It must never do a run.

import { loadDefinition } from './source.js'

const end = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', end)
// It may be gone since before this was loaded.
if (!process.connected) end()
process.once('message', async (/** @type {any} */ { href }) => {
  let answer
  try {
    const { run: _, ...definition } = await loadDefinition(href)
    answer = { definition }
  } catch (error) {
    const { code, message } = /** @type {any} */ (error)
    answer = { refused: { code, message } }
  }
  // Whoever asked may be gone.
  process.send?.(answer, () => {})
})
