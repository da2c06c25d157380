// Owns the check that the stack has room for the end of what is about to begin. It must never cost more than one call.

/**
 * Passes a number on, or throws the engine's RangeError where the stack has less than 2 KB left.
 *
 * What opens a lock must close it again, and at the end of the stack there may be no room for that: opening is often compiled
 * into the caller, where it needs little, while closing is a few calls deep. So the room is asked for before anything is
 * opened. An engine does that by itself when it enters a function, for all the places that the function has for values; this one
 * has 256 for the arguments of a call that is never made. It is too long for a compiler to put into its callers, which would do
 * away with them, and the arguments are no constants, which a bundler would do away with.
 *
 * @param n not negative
 */
export function withStackRoom(n: number): number {
  // prettier-ignore
  return n >= 0 ? n : Math.max(
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
    n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
  )
}
