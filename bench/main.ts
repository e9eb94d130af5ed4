import { availableParallelism, loadavg } from 'node:os'
import { compareCommands, holdRate } from './commands.ts'
import { benchLargeData } from './large-data.ts'
import { eventLoop } from './reliability/event-loop.ts'
import { formatComparisons, type Comparison } from './rounds.ts'
import { compareCreates, compareEdits, compareRedirects } from './service.ts'
import { compareMemory, compareStarts } from './start.ts'
import { formatTable, type Measurement } from './table.ts'

/*
 * `npm run bench` measures the figures of docs/performance.md, most of them beside a baseline, in about seven
 * minutes. Names of measurements select them: `npm run bench -- redirects start`. Clients and servers share
 * this machine, so only the ratios mean something. `large [LINKS]`, `memory` and `rate` run only if they are named.
 */
const EVENT_LOOP_SECONDS = 4
const COMPARED: Record<string, () => Promise<Comparison[]>> = {
  redirects: compareRedirects,
  creates: compareCreates,
  edits: compareEdits,
  commands: compareCommands,
  start: compareStarts,
  'event-loop': measureEventLoop,
  memory: compareMemory,
}
const MEASURED: Record<string, (links?: number) => Promise<Measurement[]>> = {
  large: (links = 100_000) => benchLargeData(links),
}

const args = process.argv.slice(2)
const links = args.map(Number).find((number) => number > 0)
const names = args.filter((name) => !(Number(name) > 0))
const known = [...Object.keys(COMPARED), ...Object.keys(MEASURED), 'rate']
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(', ')}. Choose from ${known.join(', ')}.\n`)
  process.exitCode = 2
} else {
  const quick = Object.keys(COMPARED).filter((name) => name !== 'memory')
  await measure(names.length > 0 ? names : quick)
}

/** The longest delays of the service's event loop, while a million links are searched, listed and opened. */
async function measureEventLoop(): Promise<Comparison[]> {
  const report = await eventLoop(links ?? 1_000_000, EVENT_LOOP_SECONDS)
  return report.flatMap(({ name, value, allowed }) =>
    allowed === undefined
      ? []
      : [{ figure: name, baseline: '', aim: `≤ ${allowed}`, ours: [value], theirs: [] }],
  )
}

async function measure(chosen: readonly string[]): Promise<void> {
  for (const name of chosen) {
    const compared = await COMPARED[name]?.()
    if (compared) print(formatComparisons(compared))
    const measurements = await MEASURED[name]?.(links)
    if (measurements) print(formatTable(measurements))
  }
  if (chosen.includes('rate')) {
    const { text, passed } = await holdRate()
    print(text)
    if (!passed) process.exitCode = 1
  }
  const load = loadavg()[0]?.toFixed(1)
  print(`Node ${process.version}, ${availableParallelism()} cores, load ${load}`)
}

function print(text: string): void {
  process.stdout.write(`\n${text}\n`)
}
