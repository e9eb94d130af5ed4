import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinks, loadCreates, loadRedirects, type Load } from './load.ts'
import { takeTurns, type Comparison } from './rounds.ts'
import { startTarget, type Target } from './target.ts'

const ROUNDS = 5
const SECONDS = 2

/** The links that are requested in turn, and through how many connections. */
const LINKS = 1_000
const CONNECTIONS = 64

/** Through how many connections links are created. */
const CREATING_CONNECTIONS = 16

/** Compares redirects with bare node:http and a Map. */
export async function compareRedirects(): Promise<Comparison[]> {
  return withTargets('bare-http.ts', async (ours, bare) => {
    const load = async (target: Target): Promise<() => Promise<Load>> => {
      const paths = await createLinks(target, LINKS)
      const run = () =>
        loadRedirects(target, paths, { connections: CONNECTIONS, duration: SECONDS })
      await run() // warms up
      return run
    }
    return comparisons('redirects', 'bare node:http and a Map', '0.7', [
      await load(ours),
      await load(bare),
    ])
  })
}

/** Compares creates with the same work in bare Fastify, multipart and node:sqlite, with one commit for each. */
export async function compareCreates(): Promise<Comparison[]> {
  return withTargets('bare-creates.ts', async (ours, bare) => {
    const load = async (target: Target): Promise<() => Promise<Load>> => {
      const run = () =>
        loadCreates(target, { connections: CREATING_CONNECTIONS, duration: SECONDS })
      await run() // warms up
      return run
    }
    return comparisons('durable creates', 'bare Fastify and SQLite', '2', [
      await load(ours),
      await load(bare),
    ])
  })
}

async function comparisons(
  what: string,
  baseline: string,
  aim: string,
  [ours, bare]: [() => Promise<Load>, () => Promise<Load>],
): Promise<Comparison[]> {
  const turns = await takeTurns(ROUNDS, ours, bare)
  const of = (figure: keyof Load): Pick<Comparison, 'ours' | 'theirs' | 'baseline'> => ({
    baseline,
    ours: turns.ours.map((load) => load[figure]),
    theirs: turns.theirs.map((load) => load[figure]),
  })
  return [
    { figure: `${what} a second`, aim, ...of('perSecond') },
    { figure: `${what}, µs of CPU each`, aim: '', ...of('cpuUs') },
  ]
}

async function withTargets<T>(
  bareScript: string,
  measure: (ours: Target, bare: Target) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const targets: Target[] = []
  try {
    const url = `file:${join(directory, 'bench.db')}`
    const ours = await startTarget('link service', 'backhalf.ts', ['service', url])
    targets.push(ours)
    const bare = await startTarget('the baseline', bareScript, [join(directory, 'bare.db')])
    targets.push(bare)
    return await measure(ours, bare)
  } finally {
    for (const target of targets) await target.stop()
    await rm(directory, { recursive: true })
  }
}
