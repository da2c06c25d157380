// Owns the modules of one build: their texts as they come by, and the trees of the ones that are asked for. A text is known here
// before its own loops are compiled, so modules that import each other never wait for each other.

import { resolve } from 'node:path'
import type { Modules } from './evaluator'
import { type Module, moduleOf } from './module'
import type { Node } from './nodes'
import type { UserMap } from './places'

/** The part of the bundler that finds and reads modules. */
export interface ProgramContext {
  parse(code: string): unknown
  resolve(
    specifier: string,
    importer: string,
  ): Promise<{ readonly id: string; readonly external?: unknown } | null>
  load(module: { id: string }): Promise<{ readonly code?: string | null }>
  addWatchFile(file: string): void
  getCombinedSourcemap(): unknown
}

/** A module's text, as other plugins have made it. */
interface Text {
  readonly code: string
  /** Leads to the file that the user wrote. */
  readonly map?: () => UserMap
}

export class Program {
  private readonly texts = new Map<string, Text>()
  /** Who waits for the text of a module. */
  private readonly waiting = new Map<string, { promise: Promise<void>; settle: () => void }>()
  private readonly modules = new Map<string, Module>()

  /** Takes the text of a module. */
  arrive(id: string, code: string, context: ProgramContext): void {
    this.texts.set(id, { code, map: () => context.getCombinedSourcemap() as UserMap })
    this.arrival(id).settle()
  }

  /** The modules, as they are found for one of them, which is built again when one of those changes. */
  for(context: ProgramContext): Modules {
    return {
      find: async (specifier, importer) => {
        const resolved = await context.resolve(specifier, importer)
        if (resolved === null) return `'${specifier}' cannot be found`
        if (resolved.external) return `'${specifier}' is not part of the bundle`
        const { id } = resolved
        const path = id.replace(/[?#].*$/, '')
        if (resolve(path) === path) context.addWatchFile(path)
        const code = await this.textOf(id, context)
        const module = code === undefined ? undefined : this.module(id, code, context)
        return module ?? `'${specifier}' cannot be read as JavaScript at this point of the build`
      },
    }
  }

  /** The tree of a module; undefined where the text is not JavaScript. */
  module(id: string, code: string, context: ProgramContext): Module | undefined {
    const known = this.modules.get(id)
    if (known?.code === code) return known
    let tree: Node
    try {
      tree = context.parse(code) as Node
    } catch {
      return undefined
    }
    const module = moduleOf(id, code, tree)
    this.modules.set(id, module)
    return module
  }

  /** The map that leads from a module's text to what the user wrote; undefined where there is none. */
  mapOf(id: string): UserMap | undefined {
    try {
      return this.texts.get(id)?.map?.()
    } catch {
      return undefined
    }
  }

  private async textOf(id: string, context: ProgramContext): Promise<string | undefined> {
    const known = this.texts.get(id)
    if (known !== undefined) return known.code
    // Its own loops may wait for this module: so its text is enough. A module of an earlier build does not come by.
    const loaded = context.load({ id }).then(
      ({ code }) => code ?? undefined,
      () => undefined,
    )
    const arrived = this.arrival(id).promise.then(() => this.texts.get(id)?.code)
    const code = await Promise.race([arrived, loaded])
    if (code !== undefined && !this.texts.has(id)) this.texts.set(id, { code })
    return code
  }

  private arrival(id: string): { promise: Promise<void>; settle: () => void } {
    let arrival = this.waiting.get(id)
    if (arrival === undefined) {
      let settle = (): void => {}
      const promise = new Promise<void>((done) => (settle = done))
      this.waiting.set(id, (arrival = { promise, settle }))
    }
    return arrival
  }
}
