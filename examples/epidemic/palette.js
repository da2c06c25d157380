// Owns: the colours of both pictures.
// Must never: depend on the data shown.

export const BACKGROUND = '#0b0f1a'
export const PANEL = '#0e1422'
export const FAINT_LINE = '#1c2740'
export const TEXT = '#e8ecf5'
export const QUIET_TEXT = '#8d99b3'
export const UNTOUCHED = '#2c3750'
export const FONT = 'Inter, "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif'

// Perceptually even from light to dark (matplotlib's plasma, reversed); its darkest end is left out because it
// would sink into the background.
const SEQUENCE = [
  '#f6f626',
  '#fcd225',
  '#fdae32',
  '#f68d45',
  '#e97158',
  '#d8576b',
  '#c33d80',
  '#a82296',
  '#8a0da5',
  '#6a14b8',
  '#4d2fd0',
]

/** Colour at `position` from 0 (early, light) to 1 (late, dark). */
export function sequential(position) {
  const scaled = Math.min(1, Math.max(0, position)) * (SEQUENCE.length - 1)
  const lower = Math.min(SEQUENCE.length - 2, Math.floor(scaled))
  return blend(SEQUENCE[lower], SEQUENCE[lower + 1], scaled - lower)
}

function blend(from, to, share) {
  const channel = (hex, at) => parseInt(hex.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(channel(from, at) * (1 - share) + channel(to, at) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export const CONTINENT_COLOURS = {
  Africa: '#f2b134',
  Asia: '#ef5d60',
  Europe: '#4ea8de',
  'North America': '#7bd389',
  'South America': '#b388eb',
  Oceania: '#5ee0d0',
  Antarctica: '#dfe7f5',
}

/** The future in which nothing changes, and the other one. Told apart by lightness, too. */
export const FUTURE_COLOURS = ['#ef5d60', '#5ee0d0']
