// Owns the headers with which the site is served, here and on any other server.

/**
 * All that the site needs. Programs run as blobs in a worker, the library compiles WebAssembly, and the editor and the
 * highlighted code have styles of their own. No other host is asked for anything.
 */
export const POLICY = [
  "default-src 'self'",
  "script-src 'self' blob: 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
].join('; ')

export const HEADERS = {
  'Content-Security-Policy': POLICY,
  // With these the clock of the demos has finer steps. They work without.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}
