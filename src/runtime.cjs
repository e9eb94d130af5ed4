'use strict'

const { enableCompileCache } = require('module')
const { join } = require('path')
const { engines } = require('../package.json')

/*
 * Prepares Node.js before anything else is loaded. This file is CommonJS without newer syntax, so that a Node.js that is
 * too old can run it and say so, instead of failing with a SyntaxError or "bad option".
 */

const [needed] = /\d+/.exec(engines.node)
if (parseInt(process.versions.node, 10) < Number(needed)) {
  console.error(
    `Backhalf needs Node.js ${needed} or later, but this is Node.js ${process.versions.node}. ` +
      `Install Node.js ${needed} (https://nodejs.org). Or run "npm ci" without options, which installs a copy for the ` +
      'npm commands, such as "npm start".',
  )
  process.exit(78) // EX_CONFIG in sysexits.h: systemd doesn't restart it (deploy/backhalf.service).
}

/*
 * Node.js keeps compiled modules, so that the next start is faster. Without write access it compiles them each time.
 * Its default folder is in /tmp, where other users could put code. Threads read the variable.
 */
const cache = process.env.NODE_COMPILE_CACHE || join(__dirname, '../node_modules/.cache/backhalf')
process.env.NODE_COMPILE_CACHE = cache
enableCompileCache(cache)
