// Runs the program where other scripts have added methods to the prototypes of the language, which every `for … in` lists.
for (const { prototype } of [Object, Array, Function, String, Number, Map, Float32Array, Promise])
  prototype.extra = function () {}

const library = await import('strata-ecs')
const loops = await import('strata-ecs/compile')
const { everywhere } = await import('../everywhere.js')
process.stdout.write(everywhere(library, loops))
