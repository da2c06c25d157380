// Shows the types of the entry 'strata-ecs/inspect', as a user of the package meets them.

import {
  component,
  createWorld,
  f32,
  type Entity,
  type ErrorCode,
  type World,
  type WorldStats,
} from 'strata-ecs'
import { type EntityComponent, type Found, InspectError, inspect } from 'strata-ecs/inspect'
import { expectType, type Equal } from './equal.js'

const Position = component('Position', { x: f32 })
const world = createWorld()
const view = inspect(world)
const found: Found = view.find('Position order by Position.x')

// Handles are those of the library: they can be kept, written to fields, and given to any call.
const [first] = found.page(0, 1)
if (first !== undefined) world.set(first, Position, { x: 1 })
const targets: Entity[] = view.entity(1)?.flatMap(({ links }) => links.map(({ target }) => target)) ?? []
void targets

expectType<Equal<ReturnType<Found['page']>, Entity[]>>()
expectType<Equal<ReturnType<Found['rows']>[number]['entity'], Entity>>()
expectType<Equal<ReturnType<typeof view.entity>, EntityComponent[] | undefined>>()
expectType<Equal<ReturnType<typeof view.stats>, WorldStats>>()
expectType<Equal<typeof view.world, World>>()
expectType<Equal<InspectError['code'], ErrorCode>>()
expectType<Equal<InspectError['column'], number>>()

// @ts-expect-error -- what is shown cannot be changed
view.archetypes()[0].id = 1
// @ts-expect-error -- a filter is a text
view.find(3)
// @ts-expect-error -- a world is needed
inspect({})
