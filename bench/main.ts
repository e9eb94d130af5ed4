import { availableParallelism } from 'node:os'
import { benchApp } from './app.ts'
import { benchService } from './service.ts'
import { table } from './table.ts'

/*
 * `npm run bench`: about a minute. Client and server share this machine, so that ratios hold
 * better than figures.
 */
const measurements = [...(await benchService()), ...(await benchApp())]
process.stdout.write(
  `\nNode ${process.version}, ${availableParallelism()} cores\n\n${table(measurements)}\n`,
)
