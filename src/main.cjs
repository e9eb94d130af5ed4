'use strict'

/*
 * The first file that runs. Because it is JavaScript, Node.js can take main.ts from the compile cache, which holds it without
 * types. Node.js then doesn't load the code that strips types, which saves 20 MB of memory.
 */
require('./runtime.cjs')
import('./main.ts')
