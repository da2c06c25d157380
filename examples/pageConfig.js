// How the pages of examples are built by Vite, and the head that they have in common: index.html has the body alone. All addresses
// are relative, so a page works in any folder of any server.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/**
 * @param {string} name the folder of the example, and of its page in build/
 * @param {object} page
 * @param {string} page.about what one sees, in a sentence without its end
 * @param {string} [page.script]
 * @param {string} [page.theme] 'dark' for a page that is never light
 * @param {import('vite').Plugin[]} [page.plugins]
 */
export function pageConfig(name, { about, script = 'main.ts', theme = '', plugins = [] }) {
  const head = `<!doctype html>
<html lang="en-GB" data-theme="${theme}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="${theme || 'light dark'}" />
    <meta name="description" content="${about}: an example of strata-ecs, an Entity Component System." />
    <title>${name[0].toUpperCase()}${name.slice(1)} · strata-ecs</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/src/style.css" />
    <script type="module" src="/src/${script}"></script>
  </head>`
  const transformIndexHtml = { order: 'pre', handler: (body) => `${head}\n${body}</html>\n` }
  return defineConfig({
    root: pathOf(name),
    base: './',
    publicDir: false,
    plugins: [{ name: 'head', transformIndexHtml }, ...plugins],
    build: {
      outDir: pathOf(`../build/${name}`),
      emptyOutDir: true,
      target: 'es2022',
      // React and three.js are larger than Vite thinks good.
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  })
}
