import { openExistingDatabase, type ExistingDatabase } from '../database/existing-database.ts'
import { runCheck, skipped, skippedFor, type Finding, type ServerTime } from './check.ts'
import { checkClock } from './clock-skew.ts'
import { checkConfiguration, type DotenvFile } from './configuration-checks.ts'
import { checkDatabase } from './database-checks.ts'
import type { Deployment } from './deployment.ts'
import { checkKeys, type Stored } from './key-checks.ts'
import { checkLinkService } from './link-service-group.ts'
import { checkAppAddresses } from './public-addresses.ts'
import type { Group } from './report.ts'
import { checkSlack } from './slack-group.ts'

/** Examines the whole setup. Its parts are checked at the same time. It changes nothing. */
export async function examine(deployment: Deployment, dotenv: DotenvFile): Promise<Group[]> {
  const data = examineDatabase(deployment)
  const stored = data.then((found) => found.stored)
  const [configuration, { database, keys }, slack, linkService, addresses] = await Promise.all([
    runCheck('Settings', async () => ({ findings: await checkConfiguration(deployment, dotenv) })),
    data,
    checkSlack(deployment, stored),
    checkLinkService(deployment, stored),
    checkAppAddresses(deployment),
  ])
  const times = {
    Slack: slack.serverTime,
    'the link service': linkService.serverTime,
    PUBLIC_URL: addresses.serverTime,
  }
  return [
    { title: 'Configuration', findings: configuration.findings },
    { title: 'Slack', findings: slack.findings },
    { title: 'Database', findings: database },
    { title: 'Encryption keys', findings: keys },
    { title: 'Link service', findings: linkService.findings },
    { title: 'Public address', findings: addresses.findings },
    { title: 'Clock', findings: checkClocks(times) },
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
    const database = await runCheck('Database', async () => {
      opened = openExistingDatabase(url)
      return checkDatabase(url, opened)
    })
    const readable = database.isReadable ? opened : undefined
    const keys = await runCheck('Keys', () => checkKeys(deployment, readable))
    return { database: database.findings, keys: keys.findings, stored: keys.stored }
  } finally {
    // A check that ran out of time may still use it.
    await opened?.close().catch(() => undefined)
  }
}

/** Compares the clock with the first server that answered. */
function checkClocks(times: Record<string, ServerTime | undefined>): Finding[] {
  for (const [server, time] of Object.entries(times)) {
    if (time) return [checkClock(server, time)]
  }
  return [skipped('Clock', 'No other machine answered, so it was not compared.')]
}
