// The steps of .ci/check-containers, which starts the Docker daemon and makes the images of Node.js, PostgreSQL and
// Caddy: node .ci/check-containers.js FOLDER. The folder is a copy of the project, with compose.yaml unchanged.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const [folder] = process.argv.slice(2)
const HOST = 'go.localhost'
const SIGNING_SECRET = 'a signing secret of this test'

// --- What a machine without a registry or a public hostname needs ---

const port = await freePort()
const overrides = {
  services: {
    app: { build: { network: 'host' } },
    caddy: { volumes: ['./caddy:/etc/caddy:ro'] },
  },
}
// JSON is YAML, except for the tag that replaces a list.
writeFileSync(
  join(folder, 'compose.override.yaml'),
  JSON.stringify(overrides).replace(
    '"volumes":',
    `"ports": !override ["127.0.0.1:${port}:443"], "volumes":`,
  ),
)
const caddyfile = readFileSync(join(folder, 'deploy/Caddyfile'), 'utf8')
mkdirSync(join(folder, 'caddy'))
writeFileSync(join(folder, 'caddy/Caddyfile'), caddyfile.replace(/^\{$/m, '{\n\tlocal_certs'))

function edit(name, change) {
  const path = join(folder, name)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

const settings = (lines) =>
  writeFileSync(join(folder, '.env'), `DOMAIN=${HOST}\n${lines.join('\n')}\n`)

// --- Docker ---

/** @returns the standard output. It fails with the whole output if the command fails. */
async function docker(...args) {
  const options = { cwd: folder, encoding: 'buffer', maxBuffer: 100_000_000 }
  try {
    return (await promisify(execFile)('docker', args, options)).stdout.toString()
  } catch ({ stdout, stderr }) {
    throw new Error(`docker ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}
const compose = (...args) => docker('compose', ...args)
const admin = async (...args) => {
  const program = (await containers()).app.Config.Entrypoint
  return JSON.parse(await compose('exec', '-T', 'app', ...program, 'admin', ...args, '--json'))
}
/** @returns the container of each service, also of one that has ended */
async function containers() {
  const ids = (await compose('ps', '--all', '--quiet')).trim().split('\n')
  const all = JSON.parse(await docker('inspect', ...ids))
  return Object.fromEntries(
    all.map((one) => [one.Config.Labels['com.docker.compose.service'], one]),
  )
}

let startOfStep = performance.now()
function step(text) {
  const now = performance.now()
  console.log(`✓ ${text} (${((now - startOfStep) / 1000).toFixed(1)} s)`)
  startOfStep = now
}

// --- The front door ---

let certificate

/** @returns the status, headers and body of an answer that came through Caddy, by https */
async function ask(method, path, { headers, body } = {}) {
  const sent = request({
    host: '127.0.0.1',
    port,
    servername: HOST,
    ca: certificate,
    method,
    path,
    headers: { host: HOST, ...headers },
    agent: false,
    timeout: 30_000,
  })
  sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')))
  sent.end(body)
  const [response] = await once(sent, 'response')
  const text = Buffer.concat(await Array.fromAsync(response)).toString()
  return { status: response.statusCode, headers: response.headers, text }
}

/** A command, as Slack sends it. */
function slashCommand() {
  const body = 'command=%2Fshorten&text=help&team_id=T1&user_id=U1&channel_id=C1&trigger_id=1.2'
  const time = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', SIGNING_SECRET).update(`v0:${time}:${body}`).digest('hex')
  return ask('POST', '/slack/events', {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  })
}

/** @returns the path of the new short URL */
async function createLink(key, destination) {
  const form = new FormData()
  form.set('destination_url', destination)
  form.set('domain', 'default')
  const encoded = new Response(form)
  const { status, text } = await ask('POST', '/api/v1/shortlinks/create_shortlink', {
    headers: { 'X-API-Key': key, 'content-type': encoded.headers.get('content-type') },
    body: Buffer.from(await encoded.arrayBuffer()),
  })
  assert.equal(status, 200, text)
  return new URL(JSON.parse(text).data.shortlink.shortlink_url).pathname
}

async function leadsTo(path, destination) {
  const { status, headers } = await ask('GET', path)
  assert.deepEqual([status, headers.location], [302, destination])
}

// --- The playground, with the command of README.md ---

const [command] = /^docker run .+$/m.exec(readFileSync(join(folder, 'README.md'), 'utf8'))
const [appPort, servicePort] = [await freePort(), await freePort()]
// As it is written there, except for the ports, which may be in use here, and the network of the build.
const ports = `--env PORT=${appPort} --env SERVICE_PORT=${servicePort}`
const playground = spawn(
  'sh',
  [
    '-c',
    command
      .replace('docker run', `docker run ${ports}`)
      .replace('docker build', 'docker build --network host'),
  ],
  { cwd: folder, detached: true },
)
let output = ''
for (const stream of [playground.stdout, playground.stderr])
  stream.on('data', (text) => (output += text))
const ended = once(playground, 'exit')
const address = `http://127.0.0.1:${appPort}/playground/`
await until(() => {
  assert.equal(playground.exitCode, null, output)
  return output.includes(address)
}, 300_000)
assert.match(await (await fetch(address)).text(), /<title>Playground</)
// It has no sign-in, so no other machine may reach it.
const addresses = Object.values(networkInterfaces())
  .flat()
  .filter(({ internal, family }) => !internal && family === 'IPv4')
for (const { address: host } of addresses)
  for (const open of [appPort, servicePort])
    await assert.rejects(once(connect(open, host), 'connect'), { code: 'ECONNREFUSED' })
process.kill(-playground.pid, 'SIGINT') // As Ctrl-C does.
await ended
assert.equal(await docker('ps', '--all', '--quiet'), '', 'Ctrl-C left a container')
step('the playground opens with the command of README.md, and Ctrl-C stops it')

// --- The first start ---

settings([])
await compose('up', '--build', '--detach')
const refusal = await until(async () => {
  const log = await compose('logs', '--no-color', '--no-log-prefix', 'app')
  return /^.*Slack.*$/m.exec(log)?.[0]
})
console.log(`  ${refusal.trim()}`)
step('docker compose up without Slack’s settings says what is missing')

settings([
  ...[
    'SLACK_CLIENT_ID=1.2',
    'SLACK_CLIENT_SECRET=secret',
    'SLACK_STATE_SECRET=a secret of this test',
  ],
  `SLACK_SIGNING_SECRET=${SIGNING_SECRET}`,
])
await compose('up', '--build', '--detach')
await until(async () => (await containers()).app.State.Health.Status === 'healthy')
const authority = '/data/caddy/pki/authorities/local/root.crt'
certificate = await compose('exec', '-T', 'caddy', 'cat', authority)
step('docker compose up --build --detach starts everything')

// --- A link through the front door ---

const { key } = await admin('keys', 'create', '--name', 'check-containers')
const link = await createLink(key, 'https://example.com/first')
await leadsTo(link, 'https://example.com/first')
assert.equal((await slashCommand()).status, 200)
step('a link through Caddy and https, and a command of Slack')

// --- Secrets ---

const secrets = (await compose('exec', '-T', 'app', 'sh', '-c', 'cat /secrets/*'))
  .trim()
  .split('\n')
assert.equal(secrets.length, 3)
const visible = JSON.stringify(await containers()) + (await compose('logs'))
for (const secret of secrets)
  assert(!visible.includes(secret), 'a secret is in a log or docker inspect')
step('the secrets are in no log and not in docker inspect')

// --- An upgrade while requests arrive ---

/** Sends requests one after the other until `load.ends`, and records how long the slowest took. */
async function load(name, send) {
  const result = { name, count: 0, slowestMs: 0 }
  while (!loadEnds) {
    const start = performance.now()
    await send(result.count)
    result.count += 1
    result.slowestMs = Math.max(result.slowestMs, Math.round(performance.now() - start))
    await sleep(20)
  }
  return result
}

const SLACK_WAITS_MS = 3000

let loadEnds = false
const before = await containers()
const loads = Promise.all([
  load('redirects', () => leadsTo(link, 'https://example.com/first')),
  load('commands', async () => assert.equal((await slashCommand()).status, 200)),
  load('new links', (number) => createLink(key, `https://example.com/${number}`)),
])
loads.catch(() => undefined) // It is awaited below.
appendFileSync(join(folder, 'src/start.ts'), '\n// A newer version.\n')
await promisify(execFile)('deploy/update-compose', { cwd: folder })
await sleep(1000)
loadEnds = true
for (const { name, count, slowestMs } of await loads) {
  console.log(`  ${count} ${name}, the slowest took ${slowestMs} ms`)
  assert(slowestMs < SLACK_WAITS_MS, `${name} took ${slowestMs} ms during an update`)
}
const after = await containers()
const replaced = Object.keys(after).filter((name) => after[name].Id !== before[name].Id)
assert.deepEqual(replaced, ['app'])
await compose('exec', '--workdir', '/etc/caddy', 'caddy', 'caddy', 'reload')
const startTime = (all, name) => all[name].State.StartedAt
for (const name of ['database', 'caddy'])
  assert.equal(startTime(after, name), startTime(before, name))
step('an update replaced only the app, and no request failed or waited for long')

// --- Backup and restore, with the commands of docs/maintenance.md ---

const shell = (command) => promisify(execFile)('sh', ['-euc', command], { cwd: folder })
await shell('deploy/backup-compose backups')
const later = await createLink(key, 'https://example.com/later')
const guide = readFileSync(join(folder, 'docs/maintenance.md'), 'utf8')
const [, restore] = /# Restore\n(docker compose [^`]+)```/.exec(guide)
const [backup] = readdirSync(join(folder, 'backups'))
await shell(restore.replace('FILE', `backups/${backup}`))
await leadsTo(link, 'https://example.com/first')
assert.equal((await ask('GET', later)).status, 404)
await leadsTo(await createLink(key, 'https://example.com/last'), 'https://example.com/last')
step('a backup was restored')

// --- A published image ---

await docker('tag', 'backhalf', 'registry.invalid/backhalf:1')
edit('.env', (text) => `${text}BACKHALF_IMAGE=registry.invalid/backhalf:1\n`)
await compose('up', '--detach')
assert.equal((await containers()).app.Config.Image, 'registry.invalid/backhalf:1')
await leadsTo(link, 'https://example.com/first')
step('BACKHALF_IMAGE names the image, and nothing is built')

// --- The process ---

const parents = 'for stat in /proc/[0-9]*/stat; do cut -d" " -f2,4 $stat; done'
const processes = await compose('exec', '-T', 'app', 'sh', '-c', parents)
assert.match(processes, /^\(docker-init\) 0$[^]*^\((node|MainThread|node-MainThread)\) 1$/m)
const stopStart = performance.now()
await compose('stop', 'app')
const stopMs = performance.now() - stopStart
const { ExitCode } = (await containers()).app.State
assert.equal(ExitCode, 0, 'the app was killed')
assert(stopMs < 9000, `the app took ${stopMs} ms to stop`)
step('the app is the child of process 1, and stops on SIGTERM')

/** @returns the first truthy result, by default within a minute */
async function until(check, withinMs = 60_000) {
  for (const end = performance.now() + withinMs; ; await sleep(200)) {
    const result = await check()
    if (result) return result
    assert(performance.now() < end, `not within ${withinMs / 1000} s: ${check}`)
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
