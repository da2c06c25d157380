// Runs the program of every host in a page, with values of a frame.

import * as library from '/node_modules/strata-ecs/dist/index.js'
import * as loops from '/node_modules/strata-ecs/dist/compile.js'
import { everywhere } from '/everywhere.js'

const frame = document.body.appendChild(document.createElement('iframe'))
try {
  globalThis.answer = everywhere(library, loops, { other: frame.contentWindow })
} catch (error) {
  globalThis.answer = { name: error.name, code: error.code, message: error.message }
}
