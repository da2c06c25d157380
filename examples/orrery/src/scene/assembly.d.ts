// What the page's TypeScript has to know of AssemblyScript to follow the import of orrery.kernel.ts. The kernels themselves are
// checked with all of AssemblyScript's types: see tsconfig.kernel.json.

/** Four numbers. */
type v128 = object

declare namespace v128 {
  function load(address: number, offset?: number): v128
  function load32_splat(address: number, offset?: number): v128
  function store(address: number, value: v128): void
}

declare namespace f32x4 {
  function add(a: v128, b: v128): v128
  function mul(a: v128, b: v128): v128
}

declare namespace memory {
  function copy(to: number, from: number, bytes: number): void
}
