import { availableParallelism } from 'node:os'
import { benchApp } from './app.ts'
import { benchService } from './service.ts'
import { formatTable } from './table.ts'

/*
 * `npm run bench` takes about a minute. Clients and servers share this machine, so the ratios
 * between servers mean more than the absolute figures.
 */
const measurements = [...(await benchService()), ...(await benchApp())]
process.stdout.write(
  `\nNode ${process.version}, ${availableParallelism()} cores\n\n${formatTable(measurements)}\n`,
)
