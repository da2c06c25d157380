// Owns the list of what the source of a kernel imports: `import { Rows, Column } from 'strata-ecs/kernel'`. What only the
// generated entry functions call (arguments, runs, joining) is not on it.

export { Lanes, Rows } from './rows'
export { Column, ReadonlyColumn } from './columns'
export {
  ReadonlyVec2Column,
  ReadonlyVec3Column,
  ReadonlyVec4Column,
  ReadonlyVec5Column,
  ReadonlyVec6Column,
  ReadonlyVec7Column,
  ReadonlyVec8Column,
  ReadonlyVec9Column,
  ReadonlyVec10Column,
  ReadonlyVec11Column,
  ReadonlyVec12Column,
  ReadonlyVec13Column,
  ReadonlyVec14Column,
  ReadonlyVec15Column,
  ReadonlyVec16Column,
  Vec2Column,
  Vec3Column,
  Vec4Column,
  Vec5Column,
  Vec6Column,
  Vec7Column,
  Vec8Column,
  Vec9Column,
  Vec10Column,
  Vec11Column,
  Vec12Column,
  Vec13Column,
  Vec14Column,
  Vec15Column,
  Vec16Column,
} from './vecColumns'
export { ParentColumn } from './parents'
export { ReadonlyResource, Resource } from './resources'
export { Entities, Entity, Text } from './entities'
export { Count, Max, Min, Sum, maxLanes, minLanes, sumLanes } from './reductions'
export {
  convertLanes,
  cutLanes,
  gatherLanes,
  loadLanes,
  rampLanes,
  scatterLanes,
  scatterLanesWhere,
  shlLanes,
  shrSignedLanes,
  shrUnsignedLanes,
  splatLanes,
  storeLanes,
  storeLanesWhere,
} from './lanes'
export { cos, cosLanes, exp, expLanes, rsqrt, rsqrtLanes, sin, sinLanes } from './approximate'
export { random, randomFloat, randomFloatLanes, randomLanes } from './random'
