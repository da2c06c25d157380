// Reads from the sources which calls are for programs.

import { readFileSync } from 'node:fs'

/** The calls and properties of a class that are for programs. */
export function publicNames(file: string, name: string): string[] {
  const source = readFileSync(new URL(`../../bindings/${file}.ts`, import.meta.url), 'utf8')
  const [, body = ''] = new RegExp(`^(?:export )?(?:class|interface) ${name}\\b[^]*?\\{\n([^]*?)^\\}`, 'm').exec(source) ?? []
  const found = [...body.matchAll(/(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^  (?:get |readonly )?([a-z]\w*)[?<(:]/gm)]
  return [...new Set(found.filter(([, text]) => text?.includes('@internal') !== true).map(([, , one]) => one as string))]
} // prettier-ignore
