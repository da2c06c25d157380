// Owns the colour of each library, the same wherever results are drawn. It must never depend on which of them are shown.
import { LIBRARIES } from '../plan.js'

const FIXED = { raw: '#89919c', c: '#5c6f82', strata: '#e4572e' }
const COLOURS = ['#2e86ab', '#3c9d5b', '#a66bbe', '#c99a12', '#17a2a2', '#7a6ff0', '#c2557a', '#9a7248', '#6b9a1f', '#5a7fb5'] // prettier-ignore

const peers = LIBRARIES.filter((name) => !FIXED[name])

/** A colour that can be told from its neighbours on light and dark paper; a library of an older file has the first. */
export const colourOf = (library) =>
  FIXED[library] ?? COLOURS[Math.max(0, peers.indexOf(library)) % COLOURS.length]
