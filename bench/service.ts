import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill, fillBare } from './fill.ts'
import { loadCreates, loadEdits, loadRedirects, type Load } from './load.ts'
import { takeTurns, type Comparison } from './rounds.ts'
import { startTarget, type Target } from './target.ts'

const ROUNDS = 5
const SECONDS = 2

/** Through how many connections short URLs are opened, and links edited. */
const [CONNECTIONS, EDITING_CONNECTIONS] = [64, 16]

/** The links in the databases. */
const LINKS = 200_000

/** How many different links are opened in turn, and the aim. */
const REDIRECTED = [
  [20_000, '0.9'],
  [LINKS, '0.9'],
] as const

/** The links that are edited in turn. */
const EDITED = 1_000

/** How many links are created at a time, and the aim. */
const CREATED = [
  [1, '0.38'],
  [16, '0.8'],
  [64, '1.0'],
] as const

/** Compares redirects of few links with bare node:http and a Map, and those of many with bare Fastify and SQLite. */
export async function compareRedirects(): Promise<Comparison[]> {
  return inDirectory(async (directory, start) => {
    const [path, barePath] = [join(directory, 'ours.db'), join(directory, 'bare.db')]
    await fill(`file:${path}`, LINKS)
    fillBare(barePath, LINKS)
    const ours = await start('backhalf.ts', 'service', `file:${path}`)
    const map = await start('bare-http.ts')
    const bare = await start('bare-redirects.ts', barePath)
    const load = (target: Target, count: number) => () =>
      loadRedirects(target, count, { connections: CONNECTIONS, duration: SECONDS })
    const hot = 'redirects of 1,000 hot links'
    const compared = await compare(hot, 'bare node:http and a Map', '0.65', [
      load(ours, 1_000),
      load(map, 1_000),
    ])
    for (const [count, aim] of REDIRECTED) {
      const figure = `redirects of ${count.toLocaleString('en')} links`
      const loads = [load(ours, count), load(bare, count)] as const
      // Fills the cache, as far as the links fit into it, so that a slow machine measures the same hits as a fast one.
      await loadRedirects(ours, count, {
        connections: CONNECTIONS,
        amount: Math.min(count, 20_000),
      })
      compared.push(...(await compare(figure, 'bare Fastify and SQLite', aim, loads)))
    }
    return compared
  })
}

/** Compares creates with the same work in bare Fastify, multipart and node:sqlite, with one commit for each. */
export async function compareCreates(): Promise<Comparison[]> {
  return inDirectory(async (directory, start) => {
    const ours = await start('backhalf.ts', 'service', `file:${join(directory, 'ours.db')}`)
    const bare = await start('bare-creates.ts', join(directory, 'bare.db'))
    const compared: Comparison[] = []
    for (const [connections, aim] of CREATED) {
      const load = (target: Target) => () => loadCreates(target, { connections, duration: SECONDS })
      const figure = `durable creates, ${connections} at a time`
      const loads = [load(ours), load(bare)] as const
      compared.push(...(await compare(figure, 'bare Fastify and SQLite', aim, loads)))
    }
    return compared
  })
}

/** Measures edits beside as many redirects as the service answers, and compares these with redirects alone. */
export async function compareEdits(): Promise<Comparison[]> {
  return inDirectory(async (directory, start) => {
    const path = join(directory, 'ours.db')
    await fill(`file:${path}`, EDITED)
    const ours = await start('backhalf.ts', 'service', `file:${path}`)
    const redirects = () =>
      loadRedirects(ours, EDITED, { connections: CONNECTIONS, duration: SECONDS })
    await redirects() // warms up
    const edits: number[] = []
    const { ours: beside, theirs: alone } = await takeTurns(
      ROUNDS,
      async () => {
        const [measured, edited] = await Promise.all([
          redirects(),
          loadEdits(ours, EDITED, { connections: EDITING_CONNECTIONS, duration: SECONDS }),
        ])
        edits.push(edited.perSecond)
        return measured.perSecond
      },
      async () => (await redirects()).perSecond,
    )
    return [
      {
        figure: 'edits a second, beside redirects',
        baseline: '',
        aim: '≥ 1,000',
        ours: edits,
        theirs: [],
      },
      {
        figure: 'redirects a second, beside edits',
        baseline: 'without edits',
        aim: '',
        ours: beside,
        theirs: alone,
      },
    ]
  })
}

/** Compares loads of the service with those of a baseline: how many requests a second, and their CPU time. */
async function compare(
  figure: string,
  baseline: string,
  aim: string,
  [ours, bare]: readonly [() => Promise<Load>, () => Promise<Load>],
): Promise<Comparison[]> {
  await ours() // warms up
  await bare()
  const turns = await takeTurns(ROUNDS, ours, bare)
  const of = (kind: keyof Load): Pick<Comparison, 'ours' | 'theirs' | 'baseline'> => ({
    baseline,
    ours: turns.ours.map((load) => load[kind]),
    theirs: turns.theirs.map((load) => load[kind]),
  })
  return [
    { figure: `${figure}, a second`, aim, ...of('perSecond') },
    { figure: `${figure}, µs of CPU each`, aim: '', ...of('cpuUs') },
  ]
}

type Start = (script: string, ...args: string[]) => Promise<Target>

/** Calls a function with a new directory and a way to start servers. Afterwards it removes and stops them. */
async function inDirectory<T>(
  measure: (directory: string, start: Start) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const targets: Target[] = []
  try {
    return await measure(directory, async (script, ...args) => {
      const target = await startTarget(script, script, args)
      targets.push(target)
      return target
    })
  } finally {
    for (const target of targets) await target.stop()
    await rm(directory, { recursive: true })
  }
}
