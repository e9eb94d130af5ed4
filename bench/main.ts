import { availableParallelism } from 'node:os'
import { benchApp } from './app.ts'
import { benchEdits } from './edits.ts'
import { benchLargeData } from './large-data.ts'
import { benchService } from './service.ts'
import { formatTable } from './table.ts'

/*
 * `npm run bench` takes about two minutes. Clients and servers share this machine, so the ratios
 * between servers mean more than the absolute figures. `npm run bench -- large 1000000` measures only a
 * service with so many links, and `npm run bench -- edits` only redirects during edits.
 */
const [only, links = '100000'] = process.argv.slice(2)
const measurements = [
  ...(only === undefined ? [...(await benchService()), ...(await benchApp())] : []),
  ...(only === undefined || only === 'edits' ? await benchEdits() : []),
  ...(only === undefined || only === 'large' ? await benchLargeData(Number(links)) : []),
]
process.stdout.write(
  `\nNode ${process.version}, ${availableParallelism()} cores\n\n${formatTable(measurements)}\n`,
)
