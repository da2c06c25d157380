// The numbers of build/layout.ts as an ordinary object.
//
// Vitest reads each import through a getter at every use, which took the checker of memory half of its time. So files that
// read the numbers in loops keep the object in a constant of their own.

import * as layout from '../../build/layout'

export const LAYOUT = { ...layout }
