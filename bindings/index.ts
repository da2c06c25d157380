// Owns the entry 'strata-ecs': what slim.ts lists, with the calls that make worlds over the core inside.

export * from './slim'
export { createWorld, loadFromJSON, loadWorld } from './embedded'
