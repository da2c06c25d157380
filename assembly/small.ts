// Owns the mark of the small build: memory/sizes.ts asks whether it is compiled along.

// @ts-ignore: decorators are valid here
@global export const SMALL_SIZES: bool = true
