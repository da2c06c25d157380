// Owns the mark of what query.run can run: bound kernels, and the compiled loops of the entry that stands beside the library.

/** @internal A symbol of the whole process, since a query must not import the classes, nor that entry this module. */
export const BOUND = /* @__PURE__ */ Symbol.for('strata-ecs.bound')
