// Owns what the library, compiled loops and both compilers agree on about kernels: the mark of what query.run can run, the number
// of the calling convention, and what stands for the file and the name of a compiled loop.

/** @internal A symbol of the whole process, since a query must not import the classes, nor that entry this module. */
export const BOUND = /* @__PURE__ */ Symbol.for('strata-ecs.bound')

/** The file of a kernel that `compile` has made of a function. */
export const COMPILED = 'compiled'
/** Stands for the name of an unnamed function. */
export const UNNAMED = 'the function'

/** Number of the calling convention that this version speaks. */
export const FORMAT = 2
/** Parameters of one kernel, beside the rows. */
export const MAX_PARAMETERS = 127
