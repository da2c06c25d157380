// Compares types, of which none may be any.

/** true when A and B are the very same type. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only for true: `expectType<Equal<typeof value, number>>()`. */
export declare function expectType<_ extends true>(): void
