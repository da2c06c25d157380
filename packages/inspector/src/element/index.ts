// Owns the entry 'strata-ecs/inspector': its public names, and that the element is known once the module is loaded. What it
// needs of the library and of 'strata-ecs/inspect' lies in the files beside it, so that a page has one copy of each.

import { define } from './element'

define()

export { StrataInspector } from './element'
export { type InstallOptions, type InstalledInspector, installInspector } from './install'
export type { AttachOptions, Change, Clock, Past } from './session'
