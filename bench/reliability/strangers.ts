import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CREATE_PATH } from '../../src/contract/endpoints.ts'
import { adminJson } from '../../test/support/admin.ts'
import { cookieOf, formTo, signedInMember } from '../../test/support/dashboard.ts'
import { freePort } from '../../test/support/free-port.ts'
import { startProgram, type Program } from '../../test/support/program.ts'
import { SIGNING_SECRET, SLACK_TOKEN, startFakeSlack } from '../fake-slack.ts'
import type { Attack } from './attackers.ts'
import type { Report } from './report.ts'

/** How much memory all attacks together can add, in MB. */
const ALLOWED_MB = 100

/**
 * App and service in one process with a memory limit, while strangers, a member, an editor and a key send requests that
 * never end. Meanwhile, commands, redirects and creates of another owner must be answered.
 */
export async function strangers(megabytes: number, seconds: number): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-strangers-'))
  const [port, servicePort] = [await freePort(), await freePort()]
  const slack = await startFakeSlack()
  const databaseUrl = `file:${join(directory, 'backhalf.db')}`
  const [appUrl, baseUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${servicePort}`]
  const env = {
    DATABASE_URL: databaseUrl,
    SERVICE_PUBLIC_URL: baseUrl,
    SERVICE_PORT: `${servicePort}`,
    HOST: '0.0.0.0',
    PORT: `${port}`,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: SLACK_TOKEN,
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
  }
  const group = createGroup(megabytes)
  const started = group.run(() => startProgram('start', { ...env, ...group.env }, directory))
  const program = await started
  let attacking: ChildProcess | undefined
  try {
    const newKey = async (org: string): Promise<string> => {
      await adminJson({ databaseUrl, baseUrl }, 'orgs', 'add', org)
      const options = ['--org', org, '--rate', '1000000', '--scope', 'dashboard:sign_in']
      return (await adminJson({ databaseUrl, baseUrl }, 'keys', 'create', ...options))['key'] ?? ''
    }
    const [attackers, other] = [await newKey('Attackers'), await newKey('Others')]
    const creator = await signedInMember({ baseUrl, apiKey: attackers }, { role: 'creator' })
    const editor = await signedInMember({ baseUrl, apiKey: attackers }, { id: 'E', role: 'editor' })
    const use = others(slack, { appUrl, baseUrl, apiKey: other })
    for (let round = 0; round < 5; round++) await use.once()
    const before = rss(program)
    let peak = before
    const sampler = setInterval(() => (peak = Math.max(peak, rss(program))), 50)
    const token = async (browser: typeof creator, path: string): Promise<string> =>
      encodeURIComponent(formTo(path, await browser.get(path)).get('_csrf') as string)
    const attack: Attack = {
      port,
      servicePort,
      apiKey: attackers,
      host: outsideAddress(),
      creator: { cookie: cookieOf(creator), token: await token(creator, '/dashboard/links/new') },
      editor: { cookie: cookieOf(editor), token: await token(editor, '/dashboard/import') },
    }
    // In a process of its own, so that the answers to others are measured, and not the attackers' own work.
    attacking = fork(join(import.meta.dirname, 'attackers.ts'), [JSON.stringify(attack)])
    let refused = 0
    attacking.on('message', (count) => (refused = Number(count)))
    const end = performance.now() + seconds * 1_000
    while (performance.now() < end) {
      await use.once()
      await sleep(100)
    }
    clearInterval(sampler)
    const isDown = program.process.exitCode !== null || program.process.signalCode !== null
    return [
      { name: 'memory limit in MB', value: group.isReal ? megabytes : 0 },
      { name: 'RSS before, in MB', value: before },
      { name: 'RSS at most, in MB', value: peak, allowed: before + ALLOWED_MB },
      { name: 'attacks that were refused or closed', value: refused },
      { name: 'the process ended', value: Number(isDown), allowed: 0 },
      ...use.figures(),
    ]
  } finally {
    attacking?.kill()
    await program.kill()
    slack.close()
    group.remove()
    await rm(directory, { recursive: true })
  }
}

/** Everyone else: a command in Slack, a redirect, and a create of another owner. */
function others(
  slack: Awaited<ReturnType<typeof startFakeSlack>>,
  { appUrl, baseUrl, apiKey }: Record<'appUrl' | 'baseUrl' | 'apiKey', string>,
) {
  const slowest: Record<string, number> = {}
  let [count, failed] = [0, 0]
  async function timed(name: string, work: () => Promise<boolean>): Promise<void> {
    const start = performance.now()
    const isAnswered = await work().catch(() => false)
    if (!isAnswered) failed++
    slowest[name] = Math.round(Math.max(slowest[name] ?? 0, performance.now() - start))
  }
  const answeredWith = async (status: number, url: string, init: RequestInit): Promise<boolean> => {
    const signal = AbortSignal.timeout(30_000)
    const response = await fetch(url, { redirect: 'manual', signal, ...init })
    await response.arrayBuffer()
    return response.status === status
  }
  return {
    async once(): Promise<void> {
      const back = `b${(count += 1)}`
      const body = new FormData()
      body.set('destination_url', `https://example.com/${back}`)
      body.set('back_half', back)
      body.set('domain', 'default')
      await timed('create', () =>
        answeredWith(200, baseUrl + CREATE_PATH, {
          method: 'POST',
          headers: { 'x-api-key': apiKey },
          body,
        }),
      )
      await timed('redirect', () => answeredWith(302, `${baseUrl}/${back}`, {}))
      await timed('/shorten', () =>
        Promise.race([
          slack.command(appUrl, `https://example.com/typed/${back}`).then(() => true),
          sleep(30_000, false),
        ]),
      )
    },
    figures: (): Report => [
      { name: 'commands, redirects and creates', value: 3 * count },
      { name: 'without an answer', value: failed, allowed: 0 },
      ...Object.entries(slowest).map(([name, value]) => ({
        name: `slowest ${name} in ms`,
        value,
      })),
    ],
  }
}

/** An address of this machine that is not exempt from limits, if there is one. */
function outsideAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((one = []) => one)
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}

/** What the process occupies, in MB. */
function rss({ process: { pid = 0 } }: Program): number {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(path, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}

/** A control group with a memory limit. Without the right to create one, only Node's heap is limited as there. */
function createGroup(megabytes: number) {
  const isOld = existsSync('/sys/fs/cgroup/memory')
  const own = /^\d+:memory:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? ''
  const parent = isOld ? `/sys/fs/cgroup/memory${own}` : '/sys/fs/cgroup'
  const path = join(parent, `backhalf-${process.pid}`)
  const move = (to: string): void => writeFileSync(join(to, 'cgroup.procs'), String(process.pid))
  try {
    mkdirSync(path)
    const limit = isOld ? 'memory.limit_in_bytes' : 'memory.max'
    writeFileSync(join(path, limit), String(megabytes * 1024 * 1024))
  } catch {
    const env = { NODE_OPTIONS: `--max-old-space-size=${megabytes / 2}` }
    return { isReal: false, env, run: <T>(work: () => T): T => work(), remove: () => undefined }
  }
  return {
    isReal: true,
    env: {},
    /** What `work` starts at once is in the group. */
    run<T>(work: () => T): T {
      move(path)
      try {
        return work()
      } finally {
        move(parent)
      }
    },
    remove: () => rmdirSync(path),
  }
}
