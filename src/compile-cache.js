import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/*
 * Node keeps compiled modules, so that the next start is faster. Without write access it compiles them each time.
 * Its default folder is in /tmp, where other users could put code. Threads read the variable.
 *
 * `node --import ./src/compile-cache.js src/main.ts` runs this before Node strips the types of the first file. The code
 * that strips types then isn't loaded, which saves 20 MB. This file is JavaScript for the same reason.
 */
process.env.NODE_COMPILE_CACHE ||= join(import.meta.dirname, '../node_modules/.cache/backhalf')
enableCompileCache(process.env.NODE_COMPILE_CACHE)
