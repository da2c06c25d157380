// Runs the program in a process of Node as it is started.
import * as library from 'strata-ecs'
import * as loops from 'strata-ecs/compile'
import { everywhere } from '../everywhere.js'

process.stdout.write(everywhere(library, loops))
