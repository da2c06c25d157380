// Owns the world that a tree of React components shares: WorldProvider and useWorld.
// It must never create or dispose of a world: whoever makes one knows for how long it lives.

import { type ReactNode, createContext, createElement, useContext } from 'react'
import { StrataError, type World } from '../index'

const WorldContext = /* @__PURE__ */ createContext<World | undefined>(undefined)

/** What WorldProvider takes. */
export interface WorldProviderProps {
  /** The world that useWorld returns below. Another one at the next render is fine: hooks follow it. */
  readonly world: World
  readonly children?: ReactNode
}

/**
 * Gives a world to all components below it, which get it by useWorld. Providers may be inside each other: the nearest one
 * counts.
 *
 * @example createRoot(page).render(<WorldProvider world={world}><App /></WorldProvider>)
 */
export function WorldProvider({ world, children }: WorldProviderProps): ReactNode {
  return createElement(WorldContext, { value: world }, children)
}

/**
 * The world of the nearest WorldProvider above the calling component.
 *
 * @throws StrataError NO_WORLD if there is none
 * @example const world = useWorld(); const tasks = useQuery(world.query(Task))
 */
export function useWorld(): World {
  const world = useContext(WorldContext)
  if (world !== undefined) return world
  throw new StrataError(
    'NO_WORLD',
    'useWorld: there is no world here. Render the component inside <WorldProvider world={world}>.',
  )
}
