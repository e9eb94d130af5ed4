'use strict'

/*
 * The first file that runs. It is JavaScript, so that main.ts comes from the compile cache, without its types. The code
 * that strips types then isn't loaded, which saves 20 MB.
 */
require('./runtime.cjs')
import('./main.ts')
