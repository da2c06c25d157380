// What TypeScript has to know of AssemblyScript to follow the import of a kernel. The kernels themselves are checked with all of
// AssemblyScript's types: see tsconfig.kernel.json.

/** Four numbers. */
type v128 = object

declare namespace v128 {
  function load(address: number, offset?: number): v128
  function load32_splat(address: number, offset?: number): v128
  function store(address: number, value: v128): void
}

declare function f32x4(a: number, b: number, c: number, d: number): v128

declare namespace f32x4 {
  function splat(x: number): v128
  function replace_lane(x: v128, lane: number, value: number): v128
  function add(a: v128, b: v128): v128
  function mul(a: v128, b: v128): v128
}

declare namespace memory {
  function copy(to: number, from: number, bytes: number): void
}
