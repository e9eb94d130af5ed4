/**
 * Prints the figures in docs/architecture.md: `npm run structure`. It counts files and imports, and then runs
 * the app in front of a simulated Slack workspace and counts the source files in which each request runs at
 * least one function.
 */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startApp, type TestApp } from '../test/support/app.ts'
import {
  circularImports,
  forbiddenImports,
  importsOf,
  sourceFiles,
  SRC,
} from '../test/support/architecture.ts'
import { sourceCounts } from './source-counts.ts'

/** Slack's side and the page in the browser are not part of the app or the service. */
const SIMULATED = /^(simulator|playground)\//

/** How long the work after an answer takes at most, in milliseconds. */
const SETTLE_MS = 1_000

const files = sourceFiles()
const imports = files.flatMap(importsOf)
const parts = new Map([
  ['src', files],
  ['src/slack', files.filter((file) => file.startsWith('slack/'))],
])
for (const [name, some] of parts) {
  const lines = some.map(lineCount).sort((one, other) => one - other)
  const short = lines.filter((count) => count < 30).length
  print(`${name}: files`, some.length)
  print(
    `${name}: lines`,
    lines.reduce((sum, count) => sum + count, 0),
  )
  print(`${name}: median lines of a file`, lines[Math.floor(lines.length / 2)] ?? 0)
  print(`${name}: files under 30 lines`, `${Math.round((100 * short) / lines.length)} %`)
}
const entries = new Set((parts.get('src/slack') ?? []).map((file) => file.split('/')[1]))
print('src/slack: entries', entries.size)
print('circular imports', circularImports(imports).length)
print('imports in a forbidden direction', forbiddenImports(imports).length)
for (const [name, count] of sourceCounts(files)) print(`src: ${name}`, count)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const app = await startApp()
for (const [name, request] of requests(app)) {
  await sleep(SETTLE_MS)
  await session.post('Profiler.takePreciseCoverage') // Resets the counts.
  await request()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const entered = result
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges }, index) => {
        const isModule = index === 0 && functionName === ''
        return !isModule && (ranges[0]?.count ?? 0) > 0
      }),
    )
    .flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
    .filter((path) => path.startsWith(SRC))
    .map((path) => path.slice(SRC.length + 1))
    .filter((file) => !SIMULATED.test(file))
  if (process.argv.includes('--files')) process.stdout.write(`${entered.join('\n')}\n`)
  const inSlack = entered.filter((file) => file.startsWith('slack/'))
  print(`${name}: files entered`, `${inSlack.length} of src/slack, ${entered.length} in all`)
}
await app.stop()
session.disconnect()

function requests({ slack: { ana, until }, running }: TestApp): [string, () => Promise<unknown>][] {
  const answer = () => until(() => ana.newest('general')?.blocks?.length)
  return [
    [
      '/shorten URL',
      async () => {
        await ana.types('/shorten https://example.com/page spring', { in: 'general' })
        await answer()
      },
    ],
    [
      'a submitted form',
      async () => {
        await ana.types('/shorten', { in: 'general' })
        await until(() => ana.modal())
        ana.fills({ Destination: 'https://example.com/form' })
        const before = ana.sees('general').length
        await ana.submits()
        await until(() => ana.sees('general').length > before)
      },
    ],
    [
      '/shorten list',
      async () => {
        const before = ana.sees('general').length
        await ana.types('/shorten list', { in: 'general' })
        await until(() => ana.sees('general').length > before)
      },
    ],
    ['a redirect', () => fetch(`${running.serviceUrl}/spring`, { redirect: 'manual' })],
  ]
}

function lineCount(file: string): number {
  return readFileSync(join(SRC, file), 'utf8').trimEnd().split('\n').length
}

function print(name: string, value: number | string): void {
  process.stdout.write(`${name.padEnd(56)}${value}\n`)
}
