// Owns how the programs of a page become live blocks: each in a <LiveProgram> that has what a browser needs to run it. It
// must never decide what a program is or what it prints: scripts/programs.js does, for the tests as well.

import { init, parse } from 'es-module-lexer'
import { blocksOf, isRunnable, promisedOutput, scriptOf } from '../../../scripts/programs.js'

await init

/** What a program imports, by the names in its text. */
function importsOf(script) {
  const [imports] = parse(script)
  return [...new Set(imports.map(({ n }) => n).filter((name) => name !== undefined))]
}

/** The packages that the programs of some texts import, but for ours and those of Node. */
export function packagesIn(texts) {
  const programs = texts.flatMap(blocksOf).filter(isRunnable)
  const names = new Set(programs.flatMap((program) => importsOf(scriptOf(program))))
  return [...names].filter((name) => !/^(?:node:|strata-ecs(?:\/|$)|[./])/.test(name))
}

/**
 * What the component of a block is given.
 *
 * @param page the path of the page in the repository; with the line it names the block
 * @param served the modules that the site serves, as names
 */
export function liveProgram(block, page, served) {
  const script = scriptOf(block)
  const absent = importsOf(script).filter((name) => !served.includes(name))
  const skipped = promisedOutput(block.before).length
  return {
    name: `${page}:${block.line}`,
    language: block.language,
    // What follows may be edited; what comes before it may not.
    before: block.before,
    // The text of the block is on the page already.
    script: block.language === 'ts' || block.before !== '' ? script : undefined,
    skipped,
    expected: promisedOutput(block.code).slice(skipped),
    absent,
  }
}

const attribute = (value) =>
  JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The page with its runnable blocks wrapped, and the fences of all others bare. */
export function withLivePrograms(text, page, served) {
  const programs = []
  let done = 0
  let result = ''
  for (const block of blocksOf(text)) {
    result += text.slice(done, block.start)
    done = block.end
    const fence = `\`\`\`${block.language}\n${block.own}\`\`\``
    if (!isRunnable(block)) {
      result += fence
      continue
    }
    const program = liveProgram(block, page, served)
    programs.push(program)
    result += `<LiveProgram :program="${attribute(program)}">\n\n${fence}\n\n</LiveProgram>`
  }
  return { text: result + text.slice(done), programs }
}
