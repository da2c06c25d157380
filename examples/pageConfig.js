// How the pages of examples are built by Vite. All their addresses are relative, so a page works in any folder of any server.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/**
 * @param {string} name the folder of the example, and of its page in build/
 * @param {import('vite').Plugin[]} plugins
 */
export const pageConfig = (name, plugins = []) =>
  defineConfig({
    root: fileURLToPath(new URL(name, import.meta.url)),
    base: './',
    publicDir: false,
    plugins,
    build: {
      outDir: fileURLToPath(new URL(`../build/${name}`, import.meta.url)),
      emptyOutDir: true,
      target: 'es2022',
      // React and three.js are larger than Vite thinks good.
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  })
