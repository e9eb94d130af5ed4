// Runs the steps of the Dockerfile in empty folders, and then the image, on a machine without Docker.
//
// bubblewrap stands in for Docker: each stage is a folder that is the root of a sandbox, with this machine's /usr and
// the Node.js of node_modules instead of the base image. So this doesn't check the base image itself, its user, layers,
// or a network of containers. It knows only the instructions that our Dockerfile has, and fails for any other.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, matchesGlob, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'

const USER = 1000
const npmCache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
const work = mkdtempSync(join(tmpdir(), 'backhalf-image-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))

// --- The Dockerfile ---

const instructions = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => /^(\w+)\s+(.*)$/.exec(line).slice(1))

const stages = new Map()
let image
for (const [name, text] of instructions) {
  console.log(`${name} ${text}`)
  run(name, text)
}

function run(name, text) {
  switch (name) {
    case 'FROM':
      return from(text)
    case 'WORKDIR':
      image.cwd = text
      return mkdirSync(image.root + text, { recursive: true })
    case 'ENV':
      for (const [, key, value] of text.matchAll(/(\w+)=(\S+)/g)) image.env[key] = value
      return
    case 'RUN':
      return succeed(image, ['/bin/sh', '-c', text])
    case 'COPY':
      return copy(text.split(/\s+/))
    case 'USER':
      return assert(text === `${USER}:${USER}`, 'the user must be a number')
    case 'HEALTHCHECK':
      image.healthCheck = JSON.parse(text.slice(text.indexOf(' CMD ') + 5))
      return
    case 'ENTRYPOINT':
    case 'CMD':
      image[name] = JSON.parse(text)
      return
    case 'LABEL':
    case 'EXPOSE':
      return
    default:
      throw new Error(`.ci/run-dockerfile.js does not know ${name}`)
  }
}

/** Starts a stage with an empty root folder. */
function from(text) {
  const [, major, name = 'image'] =
    /^(?:node:(\d+)-slim@sha256:[0-9a-f]{64}|base)(?: AS (\w+))?$/.exec(text)
  if (major) {
    assert(process.version.startsWith(`v${major}.`), `it must run Node.js ${process.version}`)
  }
  image = { root: join(work, name), cwd: '/', env: {} }
  stages.set(name, image)
  for (const folder of ['usr', 'proc', 'dev', 'tmp', 'etc']) {
    mkdirSync(join(image.root, folder), { recursive: true })
  }
  for (const name of ['bin', 'lib', 'lib64', 'sbin'])
    symlinkSync(`usr/${name}`, join(image.root, name))
}

function copy(words) {
  const [, stage] = /^--from=(\w+)$/.exec(words[0]) ?? []
  const sources = stage ? words.slice(1, -1) : words.slice(0, -1)
  const target = words.at(-1)
  for (const source of sources) {
    const path = stage ? stages.get(stage).root + source : resolve(source)
    const isFolder = statSync(path).isDirectory()
    const to = resolve(image.root + image.cwd, target, isFolder ? '.' : basename(source))
    assert(isFolder || target.endsWith('/'), 'a file must be copied into a folder')
    cpSync(path, to, { recursive: true, filter: (file) => stage !== undefined || isSent(file) })
    assert(existsSync(to), `.dockerignore leaves out ${source}`)
  }
}

/** Whether .dockerignore lets a file, or a folder that contains it, into the build. */
function isSent(file) {
  const patterns = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const parts = relative('.', file).split('/')
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  let sent = true
  for (const pattern of patterns) {
    const glob = pattern.replace('!', '')
    if (paths.some((path) => matchesGlob(path, glob))) sent = pattern.startsWith('!')
  }
  return sent
}

// --- The sandbox ---

/** The arguments of bwrap. With `mounts`, the root is read-only and the user is not root. */
function sandbox({ root, cwd, env }, command, mounts) {
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  const all = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/tmp',
    ...(mounts === undefined && {
      npm_config_cache: '/tmp/npm',
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    }),
    ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
    ...env,
  }
  const drop = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']
  return [
    ...['--unshare-pid', '--as-pid-1', '--die-with-parent', '--bind', root, '/'],
    ...['--ro-bind', '/usr', '/usr', '--ro-bind', 'node_modules/node/bin', '/usr/local/bin'],
    ...['--ro-bind', '/etc', '/etc', '--proc', '/proc', '--dev', '/dev'],
    ...['--perms', '1777', '--tmpfs', '/tmp'],
    ...(mounts === undefined ? ['--bind', npmCache, '/tmp/npm'] : []),
    ...Object.entries(mounts ?? {}).flatMap(([at, folder]) => ['--bind', folder, at]),
    ...(mounts === undefined ? [] : ['--remount-ro', '/']),
    ...['--clearenv', ...Object.entries(all).flatMap((entry) => ['--setenv', ...entry])],
    ...['--chdir', cwd, '--'],
    ...(mounts === undefined ? [] : [...drop, '--no-new-privs', '--bounding-set=-all']),
    ...command,
  ]
}

/** @returns the standard output */
function succeed(of, command, mounts) {
  const { status, stdout } = spawnSync('bwrap', sandbox(of, command, mounts), {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  assert(status === 0, `${command.join(' ')} ended with the exit code ${status}`)
  return stdout
}

function assert(condition, message) {
  if (!condition) throw new Error(message)
}

// --- The image, read-only and without privileges, as in compose.yaml ---

console.log(`/app contains ${readdirSync(join(image.root, 'app')).join(', ')}`)
const data = volume('data')
await runs('start', {
  // Nothing asks Slack anything before a workspace installs the app.
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'secret',
  SLACK_SIGNING_SECRET: 'secret',
  SLACK_STATE_SECRET: 'a secret of this test',
})
assert(readdirSync(data).includes('encryption.keys'), 'there is no encryption.keys in /data')
await runs('service', {})
const admin = [...image.ENTRYPOINT, 'admin', 'backup', '/data/copy.db']
console.log(succeed(image, admin, { '/data': data }).trim())

const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true })
const secrets = volume('secrets')
succeed(image, services.secrets.entrypoint, { '/secrets': secrets })
console.log(`The secrets of compose.yaml: ${readdirSync(secrets).join(', ')}`)

/** An empty volume. Docker gives it the owner of the image's folder. */
function volume(name) {
  const { uid, gid } = statSync(join(image.root, name))
  assert(uid === USER, `/${name} must belong to the user ${USER}`)
  const folder = join(work, `volume-${name}`)
  mkdirSync(folder)
  chownSync(folder, uid, gid)
  return folder
}

/** Starts the image, waits until its health check succeeds, and stops it with SIGTERM. */
async function runs(command, settings) {
  const [PORT, SERVICE_PORT] = [await freePort(), await freePort()]
  const env = { ...image.env, ...settings, PORT, SERVICE_PORT, SHUTDOWN_DELAY: '0' }
  const here = { ...image, env }
  const args = sandbox(here, [...image.ENTRYPOINT, ...[command].flat()], { '/data': data })
  const child = spawn('bwrap', ['--info-fd', '3', ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const ended = once(child, 'exit')
  let info = ''
  child.stdio[3].on('data', (chunk) => (info += chunk))
  const end = performance.now() + 60_000
  while (spawnSync('bwrap', sandbox(here, image.healthCheck, { '/data': data })).status !== 0) {
    assert(child.exitCode === null, `${command} ended`)
    assert(performance.now() < end, `${command} was not healthy within a minute`)
    await sleep(200)
  }
  process.kill(Number(/"child-pid": (\d+)/.exec(info)[1]), 'SIGTERM')
  const [code] = await ended
  assert(code === 0, `${command} ended with the exit code ${code} after SIGTERM`)
  console.log(`${command} was healthy, and stopped on SIGTERM`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return String(port)
}
