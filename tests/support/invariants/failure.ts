// Owns how a check fails: it throws an Error with one sentence, in which addresses are hexadecimal.
// It must never collect failures: what is read after the first one would be guesswork.

export function fail(sentence: string): never {
  throw new Error(`invariant broken: ${sentence}`)
}

export function hex(address: number): string {
  return `0x${address.toString(16)}`
}
