import { getPriority, platform, setPriority } from 'node:os'
import { openReader, type Statement } from './sqlite-connection.ts'
import { answerRequests } from './sqlite-thread.ts'

const READ_TIMEOUT_MS = 5_000

// Long reads get a lower priority, so that redirects continue if both need the same core.
const LOWER_BY = 5
const LOWEST = 19

// On Linux, this is the priority of the thread. On other systems, it is that of the whole process.
if (platform() === 'linux') setPriority(Math.min(getPriority() + LOWER_BY, LOWEST))

answerRequests((path: string) => {
  const connection = openReader(path, READ_TIMEOUT_MS)
  return {
    answer: (statement: Statement) => connection.execute(statement).rows,
    close: () => connection.close(),
  }
})
