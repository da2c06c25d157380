// Owns where the site is put together, and where everything of it goes. Nothing of it is in git.

import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** The repository. */
export const ROOT = path('../..')

/** The Markdown pages as VitePress reads them, in folders like those of the repository. */
export const PAGES = path('../../build/site-pages')

/** Files that are served as they are: the library, the demos. */
export const PUBLIC = path('../../build/site-pages/public')

/** The addresses of the modules that programs import, by name. */
export const MODULES = path('../../build/site-pages/modules.json')

/** The live programs, for the tests. */
export const PROGRAMS = path('../../build/site-pages/programs.json')

/** The navigation of the API reference. */
export const SIDEBAR = path('../../build/site-pages/sidebar.json')

/** What VitePress keeps between builds. */
export const CACHE = path('../../build/site-cache')

/** The built site, for any static server. */
export const SITE = path('../../build/site')

/** The folder on the server, with a slash at both ends: `SITE_BASE=/strata-ecs/ npm run build -w packages/site`. */
export const BASE = process.env.SITE_BASE ?? '/'
