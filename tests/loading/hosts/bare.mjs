// Runs the program where the host has nothing but the language, as engines inside of other programs and audio worklets have it.
const ADDED = [
  'TextEncoder',
  'TextDecoder',
  'atob',
  'btoa',
  'performance',
  'structuredClone',
  'queueMicrotask',
  'setTimeout',
  'URL',
]
const { process } = globalThis
for (const name of ADDED) delete globalThis[name]

const library = await import('strata-ecs')
const loops = await import('strata-ecs/compile')
const { everywhere } = await import('../everywhere.js')
process.stdout.write(everywhere(library, loops))
