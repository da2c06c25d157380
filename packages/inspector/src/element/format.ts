// Owns how numbers, handles and values are written for people.

const GROUPED = new Intl.NumberFormat('en')

/** 1,234,567 */
export const grouped = (count: number): string => GROUPED.format(count)

/** 12 B, 3.4 KB, 56 MB */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  const [amount, unit] =
    count < 1e6 ? [count / 1e3, 'KB'] : count < 1e9 ? [count / 1e6, 'MB'] : [count / 1e9, 'GB']
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`
}

/** 45 % */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** 0.42 ms */
export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`

/** A handle as filters take it: #16777221 */
export const handleText = (entity: number): string => `#${entity}`

/** Names that are plain in a filter, and are none: they mean something there. */
const WORDS = new Set(['order', 'true', 'false', 'Infinity'])

/** A name as filters take it: in backticks, where it does not begin with a letter and go on with letters, digits, _ and $. */
export const nameText = (name: string): string =>
  /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && !WORDS.has(name) ? name : `\`${name.replaceAll('`', '``')}\``

/** Characters of a name that a page has room for. */
const MOST_OF_A_NAME = 80

/** A name as a page shows it: a long one is cut, and what cannot be seen is written as an escape. */
export function shownName(name: string): string {
  const short = name.length > MOST_OF_A_NAME ? `${name.slice(0, MOST_OF_A_NAME)}…` : name
  if (!UNSEEN.test(short)) return short
  const seen = short.replace(
    /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  )
  return `'${seen}'`
}

/** Control characters, marks of direction, halves of pairs, line breaks; spaces at an edge. Not what joins the parts of an emoji. */
const UNSEEN = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]|^\s|\s$/u

/** A handle in parts: its lowest 24 bits are the index, the others the generation. */
export const handleParts = (entity: number): string =>
  `index ${grouped(entity & 0xffffff)}, generation ${entity >>> 24}`

/** A number in full: -0 and NaN are told apart from 0. */
export const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))

/** A number with the digits that tell values apart at a glance. */
export const shortNumber = (value: number): string =>
  Number.isInteger(value) ? numberText(value) : String(Number(value.toPrecision(6)))

/** The shortest text that gives back a number in an f32: 0.1, and not 0.10000000149011612. */
export function floatText(value: number): string {
  if (Math.fround(value) !== value || value === 0) return numberText(value)
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return numberText(short)
  }
  return numberText(Number(value.toPrecision(9)))
}
