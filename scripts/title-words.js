// Owns the words that titles of tests do without, and finds the titles that have them. It must never look at anything but titles: a
// test's body may call its variables what it likes.

import ts from 'typescript'

/** The words that no title may have, and what to say in their place. */
const WORDS = [
  [/\banew\b/i, 'again'],
  [/\btold\b(?! apart)/i, 'called, notified, reported'],
  [/\b(?:hears?|heard)\b/i, 'is called, is notified'],
  [/(?<!\b(?:leaves?|left) (?:\w+ ){0,4})\bbehind\b/i, 'after, past'],
  [/\bthose (?:that|who)\b/i, 'the name of what they are'],
  [/\b(?:whoever|somebody|nobody)\b/i, 'who it is'],
  [/\bcomes? forward\b/i, 'registers'],
  [/\bfor want of\b/i, 'without'],
  [/\blets? (?:\w+ )*go\b/i, 'frees, releases'],
  [/\b(?<!\bthere )(?:is|are|was|were) none\b/i, 'does not exist, is not one'],
  [/\b(?:has|have|had) none\b(?! of\b)/i, 'lacks'],
  [/\bbesides\b/i, 'except'],
  [/\bno more\b(?! (?:often|memory|than)\b)/i, 'no longer'],
  [/\bby its side\b/i, 'next to it'],
  [/\bstands?\b(?! (?:for|out)\b)/i, 'is'],
  [/(?<!\bthere )\b(?:is|are) no\b(?! longer\b)/i, 'is not a'],
  [/\bin turn\b/i, 'then, one after another'],
  [/\bwhat is of\b/i, 'the name of what it is'],
]

/** What `it.each(…)` and `it.skipIf(…)` begin with, too. */
const RUNNERS = new Set(['describe', 'it', 'test'])

/**
 * Lists the titles in the source of a test file that have one of the words.
 *
 * @returns a line for each: its number, the title, and what to say in place of the word
 */
export function refusedTitles(source) {
  return titlesIn(source).flatMap(({ line, title }) =>
    WORDS.filter(([word]) => word.test(title)).map(
      ([word, instead]) => `${line}  ${title}\n    ${word.exec(title)[0]}: say ${instead}`,
    ),
  )
}

/** The titles that are written as a string, those with holes included, with their lines. */
function titlesIn(source) {
  const file = ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest)
  const titles = []
  const visit = (node) => {
    const [title] = (ts.isCallExpression(node) && RUNNERS.has(runnerOf(node)) && node.arguments) || []
    if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
      titles.push({
        line: file.getLineAndCharacterOfPosition(title.getStart(file)).line + 1,
        title: title.getText(file).slice(1, -1),
      })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return titles
}

/** The name that a chain of calls and properties begins with: `it` for `it.skipIf(a).each(b)('…')`. */
function runnerOf(call) {
  let node = call
  while (
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isTaggedTemplateExpression(node)
  )
    node = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression
  return ts.isIdentifier(node) ? node.text : undefined
}
