// Owns the list of public names of the entry 'strata-ecs/three'. What it needs of the library comes with the world, or from the
// entry 'strata-ecs', so that the package is in a program once.

export { createInstances, type Instances, type InstancesOptions } from './instances'
export { createPoints, type EntityPoints, type PointsOptions } from './points'
export type { ColumnSource, SourceComponent } from './source'
