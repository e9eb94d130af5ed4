import { openExistingDatabase, type ExistingDatabase } from '../database/existing-database.ts'
import {
  failed,
  ok,
  runCheck,
  skipped,
  skippedFor,
  warning,
  type Finding,
  type ServerTime,
} from './check.ts'
import { checkConfiguration, type DotenvFile } from './configuration-checks.ts'
import { checkDatabase } from './database-checks.ts'
import type { Deployment } from './deployment.ts'
import { checkKeys, type Stored } from './key-checks.ts'
import { checkAppAddresses, checkLinkService } from './program-checks.ts'
import { checkSlack } from './slack-group.ts'

/** What was found about one part of the setup. */
export interface Group {
  title: string
  findings: readonly Finding[]
}

/** Examines the whole setup. Its parts are checked at the same time. It changes nothing. */
export async function examine(deployment: Deployment, dotenv: DotenvFile): Promise<Group[]> {
  const data = examineDatabase(deployment)
  const stored = data.then((found) => found.stored)
  const [configuration, { database, keys }, slack, linkService, addresses] = await Promise.all([
    runCheck('Settings', () => checkConfiguration(deployment, dotenv)),
    data,
    checkSlack(deployment, stored),
    checkLinkService(deployment, stored),
    checkAppAddresses(deployment),
  ])
  const servers = { Slack: slack, 'the link service': linkService, PUBLIC_URL: addresses }
  return [
    { title: 'Configuration', findings: configuration },
    { title: 'Slack', findings: slack },
    { title: 'Database', findings: database },
    { title: 'Encryption keys', findings: keys },
    { title: 'Link service', findings: linkService },
    { title: 'Public address', findings: addresses },
    { title: 'Clock', findings: [compareClocks(servers)] },
  ]
}

/** The database is open only as long as it is examined. */
async function examineDatabase(
  deployment: Deployment,
): Promise<{ database: Finding[]; keys: Finding[]; stored?: Stored | undefined }> {
  if (deployment.isInvalid('DATABASE_URL')) {
    return {
      database: [skippedFor('DATABASE_URL', 'Database')],
      keys: [skippedFor('DATABASE_URL', 'Keys')],
    }
  }
  const url = deployment.config.databaseUrl
  let opened: ExistingDatabase | undefined
  try {
    let isReadable = false
    const database = await runCheck('Database', async () => {
      opened = openExistingDatabase(url)
      const found = await checkDatabase(url, opened)
      isReadable = found.isReadable
      return found.findings
    })
    let stored: Stored | undefined
    const keys = await runCheck('Keys', async () => {
      const found = await checkKeys(deployment, isReadable ? opened : undefined)
      stored = found.stored
      return found.findings
    })
    return { database, keys, stored }
  } finally {
    // A check that ran out of time may still use it.
    await opened?.close().catch(() => undefined)
  }
}

/** Compares the clock with that of the first server that answered. */
function compareClocks(servers: Record<string, readonly Finding[]>): Finding {
  for (const [server, findings] of Object.entries(servers)) {
    const time = findings.map(({ serverTime }) => serverTime).find(Boolean)
    if (time) return checkClock(server, time)
  }
  return skipped('Clock', 'No other machine answered, so it was not compared.')
}

/**
 * The differences from which on the check warns or fails, in milliseconds. Slack's signatures are valid for five
 * minutes.
 */
const [WARN_MS, FAIL_MS] = [5_000, 60_000]

const FIX =
  'Synchronize the clock: timedatectl set-ntp true. In a container or virtual machine, set the host’s clock.'

/** How far this machine's clock is ahead of the server's, at least, in milliseconds. Negative if it is behind. */
export function clockSkewMs({ date, sentAt, receivedAt }: ServerTime): number {
  if (date > receivedAt) return receivedAt - date
  return Math.max(0, sentAt - (date + 1_000))
}

/** @param server whose clock it is, such as `Slack` */
export function checkClock(server: string, time: ServerTime): Finding {
  const name = `Clock, compared with ${server}`
  const skew = clockSkewMs(time)
  const direction = skew < 0 ? 'behind' : 'ahead'
  const message = `This machine’s clock is ${Math.round(Math.abs(skew) / 1_000)} seconds ${direction}.`
  if (Math.abs(skew) > FAIL_MS) return failed(name, message, FIX)
  if (Math.abs(skew) > WARN_MS) return warning(name, message, FIX)
  return ok(name, 'The difference is at most a few seconds.')
}
