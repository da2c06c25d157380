// Owns the watch over source files: which of them changed since it last reported. Each change is reported once.

import { watch, type FSWatcher } from 'node:fs'
import { dirname, join } from 'node:path'

/** Editors write a file in several steps, and write several files at once. */
const QUIET_MS = 50

/** Watches the folders of files: a file that is replaced or made again is seen as well. */
export class SourceWatch {
  private readonly folders = new Map<string, FSWatcher>()
  private files: ReadonlySet<string> = new Set()
  private changed = new Set<string>()
  private timer: NodeJS.Timeout | undefined
  private told: Promise<void> = Promise.resolve()
  private readonly tell: (changed: ReadonlySet<string>) => Promise<void>

  /** @param tell called with the files that changed, after the call before it has ended */
  constructor(tell: (changed: ReadonlySet<string>) => Promise<void>) {
    this.tell = tell
  }

  /** Watches these files, by their absolute paths, and no others. */
  follow(files: ReadonlySet<string>): void {
    this.files = files
    const folders = new Set([...files].map((file) => dirname(file)))
    for (const [folder, watcher] of this.folders) {
      if (folders.has(folder)) continue
      watcher.close()
      this.folders.delete(folder)
    }
    for (const folder of folders) {
      if (this.folders.has(folder)) continue
      this.folders.set(
        folder,
        watch(folder, (_event, name) => name !== null && this.see(join(folder, name))),
      )
    }
  }

  private see(file: string): void {
    if (!this.files.has(file)) return
    this.changed.add(file)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      const { changed } = this
      this.changed = new Set()
      this.told = this.told.then(() => this.tell(changed))
    }, QUIET_MS)
  }
}
