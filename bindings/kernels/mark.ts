// Owns the marks by which the library knows compiled loops, which come from an entry that stands beside it: what query.run can run,
// and what stands for the file of a loop that is no file.

/** @internal A symbol of the whole process, since a query must not import the classes, nor that entry this module. */
export const BOUND = /* @__PURE__ */ Symbol.for('strata-ecs.bound')

/** The file of a kernel that `compile` has made of a function. */
export const COMPILED = 'compiled'
/** Stands for the name of an unnamed function. */
export const UNNAMED = 'the function'
