// Owns the program of the process in which a module is loaded to see what it defines.

import type { EnsembleError } from './errors.js'
import { type Answer, loadDefinition } from './source.js'

const end = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', end)
// It may be gone since before this was loaded.
if (!process.connected) end()
process.once('message', ({ href }: { href: string }) => void answer(href))

async function answer(href: string): Promise<void> {
  let said: Answer
  try {
    const { run: _, ...definition } = await loadDefinition(href)
    said = { definition }
  } catch (error) {
    const { code, message } = error as EnsembleError
    said = { refused: { code, message } }
  }
  // Whoever asked may be gone.
  process.send?.(said, () => {})
}
