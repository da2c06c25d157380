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

/** A name as filters take it: in backticks, where it is not made of letters, digits, _ and $. */
export const nameText = (name: string): string =>
  /^[\w$]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``

/** A handle in parts: its lowest 24 bits are the index, the others the generation. */
export const handleParts = (entity: number): string =>
  `index ${grouped(entity & 0xffffff)}, generation ${entity >>> 24}`

/** One value of a field: numbers with the digits that tell them apart at a glance. */
export function short(value: unknown): string {
  if (typeof value === 'number')
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)))
  if (typeof value === 'string') return value
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return listed(value as ArrayLike<unknown>)
  return preview(value)
}

const MOST_LISTED = 16

function listed(values: ArrayLike<unknown>): string {
  const shown = Array.from({ length: Math.min(values.length, MOST_LISTED) }, (_, i) => short(values[i]))
  return values.length > MOST_LISTED ? `${shown.join(', ')}, … (${grouped(values.length)})` : shown.join(', ')
}

const MOST_CHARACTERS = 400
const MOST_KEYS = 24

/** A JavaScript value in a few lines; never throws, and reads no deeper than its own properties. */
export function preview(value: unknown): string {
  try {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value)
    if (typeof value === 'function') return `function ${value.name}`
    if (ArrayBuffer.isView(value) || Array.isArray(value)) return listed(value as ArrayLike<unknown>)
    const { name } = value.constructor ?? { name: 'object' }
    const keys = Object.keys(value).slice(0, MOST_KEYS)
    const parts = keys.map((key) => `${key}: ${brief((value as Record<string, unknown>)[key])}`)
    return `${name === 'Object' ? '' : `${name} `}{ ${parts.join(', ')} }`.slice(0, MOST_CHARACTERS)
  } catch {
    // A getter or a proxy of the user's.
    return 'a value that cannot be read'
  }
}

function brief(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 40)}'`
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value)
      ? `[${value.length}]`
      : ((value.constructor as { name?: string } | undefined)?.name ?? 'object')
  return typeof value === 'function' ? 'function' : String(value)
}
