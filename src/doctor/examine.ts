import type { Config } from '../config/config.ts'
import { openExistingDatabase, type ExistingDatabase } from '../database/existing-database.ts'
import { failed, ok, runCheck, skipped, type Finding, type Result } from './check.ts'
import { checkDatabase } from './database-checks.ts'
import { checkKeys, type StoredData } from './key-checks.ts'
import { checkAppAddresses, checkLinkService } from './program-checks.ts'
import { checkSlack } from './slack-group.ts'

export interface Group {
  title: string
  findings: readonly Finding[]
}

export async function examine(config: Config): Promise<Group[]> {
  const { database, keys, stored } = await examineDatabase(config)
  const [slack, linkService, addresses, clock] = await Promise.all([
    checkSlack(config, stored),
    checkLinkService(config, stored),
    checkAppAddresses(config),
    runCheck('Clock', (signal) => checkClock(config, signal)),
  ])
  return [
    { title: 'Slack', findings: slack },
    { title: 'Database', findings: database },
    { title: 'Encryption keys', findings: keys },
    { title: 'Link service', findings: linkService },
    { title: 'Public address', findings: addresses },
    { title: 'Clock', findings: clock },
  ]
}

async function examineDatabase(config: Config) {
  let opened: ExistingDatabase | undefined
  try {
    let isReadable = false
    const database = await runCheck('Database', async () => {
      opened = openExistingDatabase(config.databaseUrl)
      const checked = await checkDatabase(config.databaseUrl, opened)
      isReadable = checked.isReadable
      return checked.findings
    })
    let stored: StoredData | undefined
    const keys = await runCheck('Keys', async () => {
      const checked = await checkKeys(config, isReadable ? opened : undefined)
      stored = checked.stored
      return checked.findings
    })
    return { database, keys, stored }
  } finally {
    // Closing fails if a check that ran out of time is still using the database.
    await opened?.close().catch(() => undefined)
  }
}

/** A larger difference is a failure, because the app refuses a request whose timestamp is five minutes off. */
const MAX_SKEW_MS = 60_000

async function checkClock({ slack }: Config, signal: AbortSignal): Promise<Result[]> {
  if (slack.mode === 'playground') {
    return [skipped('In the playground, it is not compared with Slack’s.')]
  }
  const request = { method: 'HEAD', redirect: 'manual', signal } as const
  const response = await fetch(slack.apiUrl, request).catch(() => undefined)
  const date = Date.parse(response?.headers.get('date') ?? '')
  if (Number.isNaN(date)) return [skipped('Slack did not respond, so it was not compared.')]
  return [judgeClock(Date.now() - date)]
}

/** @param skewMs positive if this machine's clock is ahead of Slack's */
export function judgeClock(skewMs: number): Result {
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return ok('It differs from Slack’s by less than a minute.')
  const direction = skewMs < 0 ? 'behind' : 'ahead of'
  return failed(
    `This machine’s clock is ${Math.round(Math.abs(skewMs) / 1_000)} seconds ${direction} Slack’s.`,
    'Synchronize the clock: timedatectl set-ntp true. In a container or virtual machine, set the host’s clock.',
  )
}
