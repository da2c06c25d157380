// How a check fails: it throws an Error with one sentence, in which addresses are hexadecimal. What follows the first failure
// would be guesswork, so none is collected.

export function fail(sentence: string): never {
  throw new Error(`invariant broken: ${sentence}`)
}

export function hex(address: number): string {
  return `0x${address.toString(16)}`
}
