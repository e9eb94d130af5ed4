import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeTurns, type Comparison } from './rounds.ts'

const ROUNDS = 5

/** How long after the start the memory is read, in milliseconds. */
const SOON_MS = 2_000

/** After this time without requests, V8 has given back what only the start needed, in milliseconds. */
const IDLE_MS = 240_000

const OURS = [join(import.meta.dirname, '../src/main.cjs'), 'service']
const BARE = ['-e', `require('node:http').createServer().listen(0, () => console.log('running'))`]

/** Compares how long `npm run service` takes to start, and its memory then, with a bare Node.js server. Needs /proc. */
export async function compareStarts(): Promise<Comparison[]> {
  await start(OURS, 0) // fills the compile cache
  const turns = await takeTurns(
    ROUNDS,
    () => start(OURS, SOON_MS),
    () => start(BARE, SOON_MS),
  )
  const of = (figure: 'readyMs' | 'megabytes') => ({
    baseline: 'bare node:http',
    ours: turns.ours.map((started) => started[figure]),
    theirs: turns.theirs.map((started) => started[figure]),
  })
  return [
    { figure: 'ready after, ms', aim: '≤ 350', ...of('readyMs') },
    { figure: 'memory of the service after the start, MB', aim: '', ...of('megabytes') },
  ]
}

/** Compares the memory of the idle service with that of a bare Node.js server. Needs /proc. */
export async function compareMemory(): Promise<Comparison[]> {
  await start(OURS, 0) // fills the compile cache
  const [ours, theirs] = await Promise.all([start(OURS, IDLE_MS), start(BARE, IDLE_MS)])
  return [
    {
      figure: 'memory of the idle service, MB',
      baseline: 'bare node:http',
      aim: '≤ 120',
      ours: [ours.megabytes],
      theirs: [theirs.megabytes],
    },
  ]
}

/** @param idleMs how long after the start the memory is read, in milliseconds */
async function start(
  args: readonly string[],
  idleMs: number,
): Promise<{ readyMs: number; megabytes: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: { DATABASE_URL: 'file:bench.db', HOST: '127.0.0.1', SERVICE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for (let output = ''; !output.includes('running');) {
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
      output += chunk.toString()
    }
    const readyMs = performance.now() - began
    await sleep(idleMs)
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(status) ?? []
    return { readyMs, megabytes: Number(kilobytes) / 1024 }
  } finally {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
    await rm(directory, { recursive: true })
  }
}
