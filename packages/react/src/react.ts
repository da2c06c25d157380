// Owns the list of public names of the entry 'strata-ecs/react'. What it needs of the library comes with the world, with the
// query, or from the entry 'strata-ecs', so that the package is in a program once.

export { useComponent, useComponentEffect, useHas } from './component'
export { WorldProvider, type WorldProviderProps, useWorld } from './provider'
export { useCount, useFirst, useQuery, type WatchedQuery } from './query'
export { useResource } from './resource'
export { useTarget } from './target'
