'use strict'

/*
 * The first file that runs. Because it is JavaScript, Node.js can take main.ts from the compile cache, where it has no types
 * anymore. The code that strips types then isn't loaded, which saves 20 MB of memory.
 */
require('./runtime.cjs')
import('./main.ts')
