// Owns the mark by which the bindings know a core of their own version: another one lays out memory in another way.
// scripts/release.js writes the version into it.

export const strataCore_0_1_0: bool = true
