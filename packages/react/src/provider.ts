// Owns the world that a tree of React components shares: WorldProvider and useWorld.
//
// React is imported as a whole in this room: the one for server components lacks most names, and a module that imports a name
// which is not there cannot be loaded.

import * as React from 'react'
import { StrataError, type World } from '../../../bindings/index'

let context: React.Context<World | undefined> | undefined

/** Made when it is first needed: React has no contexts where it renders server components, and the module is loaded there, too. */
function worldContext(): React.Context<World | undefined> {
  return (context ??= React.createContext<World | undefined>(undefined))
}

/** What WorldProvider takes. */
export interface WorldProviderProps {
  /** The world that useWorld returns below. Another one at the next render is fine: hooks follow it. */
  readonly world: World
  readonly children?: React.ReactNode
}

/**
 * Gives a world to all components below it, which get it by useWorld. Providers may be inside each other: the nearest one
 * counts.
 *
 * @example createRoot(page).render(<WorldProvider world={world}><App /></WorldProvider>)
 */
export function WorldProvider({ world, children }: WorldProviderProps): React.ReactNode {
  return React.createElement(worldContext(), { value: world }, children)
}

/**
 * The world of the nearest WorldProvider above the calling component.
 *
 * @throws StrataError NO_WORLD if there is none
 * @example const world = useWorld(); const tasks = useQuery(world.query(Task))
 */
export function useWorld(): World {
  const world = React.useContext(worldContext())
  if (world !== undefined) return world
  throw new StrataError(
    'NO_WORLD',
    'useWorld: there is no world here. Render the component inside <WorldProvider world={world}>.',
  )
}
