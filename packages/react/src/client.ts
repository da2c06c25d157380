// Owns what bundlers of server components are given for 'strata-ecs/react': a file that begins with 'use client', which
// rollup.config.js puts there, so that a component of a server may import hooks and hand them on. Every name of react.ts stands
// here by itself: such a file must not export them all at once.

export {
  WorldProvider,
  useComponent,
  useComponentEffect,
  useCount,
  useFirst,
  useHas,
  useQuery,
  useResource,
  useTarget,
  useWorld,
} from './react'
