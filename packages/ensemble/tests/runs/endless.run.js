// A module that never finishes loading. It says when it has begun, where it was told to.

import { writeFileSync } from 'node:fs'

if (process.env.LOADING_SIGN) writeFileSync(process.env.LOADING_SIGN, '')
for (;;);
