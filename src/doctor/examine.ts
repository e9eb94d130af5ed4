import { openExistingDatabase, type ExistingDatabase } from '../database/existing-database.ts'
import { failed, ok, runCheck, skipped, skippedFor, warning, type Finding } from './check.ts'
import { checkConfiguration, type DotenvFile } from './configuration-checks.ts'
import { checkDatabase } from './database-checks.ts'
import type { Deployment } from './deployment.ts'
import { checkKeys, type Stored } from './key-checks.ts'
import { checkAppAddresses, checkLinkService } from './program-checks.ts'
import { SLACK_API_URL } from './slack-checks.ts'
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
  const [configuration, { database, keys }, slack, linkService, addresses, clock] =
    await Promise.all([
      runCheck('Settings', () => checkConfiguration(deployment, dotenv)),
      data,
      checkSlack(deployment, stored),
      checkLinkService(deployment, stored),
      checkAppAddresses(deployment),
      runCheck('Clock', (signal) => checkClock(deployment, signal)),
    ])
  return [
    { title: 'Configuration', findings: configuration },
    { title: 'Slack', findings: slack },
    { title: 'Database', findings: database },
    { title: 'Encryption keys', findings: keys },
    { title: 'Link service', findings: linkService },
    { title: 'Public address', findings: addresses },
    { title: 'Clock', findings: clock },
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

/**
 * The differences from which on the check warns or fails, in milliseconds. Slack's signatures are valid for five
 * minutes.
 */
const [WARN_MS, FAIL_MS] = [5_000, 60_000]

const FIX =
  'Synchronize the clock: timedatectl set-ntp true. In a container or virtual machine, set the host’s clock.'

/** Compares the clock with that of Slack. */
async function checkClock(
  { values, config, isInvalid }: Deployment,
  signal: AbortSignal,
): Promise<Finding[]> {
  const name = 'Clock'
  if (config.slack?.mode === 'playground' || isInvalid('SLACK_API_URL')) {
    return [skipped(name, 'It was not compared with Slack’s.')]
  }
  const sentAt = Date.now()
  const response = await fetch(values.SLACK_API_URL ?? SLACK_API_URL, {
    method: 'HEAD',
    redirect: 'manual',
    signal,
  }).catch(() => undefined)
  const date = Date.parse(response?.headers.get('date') ?? '')
  return [
    Number.isNaN(date)
      ? skipped(name, 'Slack did not answer, so it was not compared.')
      : judgeClock(clockSkewMs({ date, sentAt, receivedAt: Date.now() })),
  ]
}

/**
 * How far this machine's clock is ahead of a server's, at least, in milliseconds. Negative if it is behind.
 *
 * @param time.date the response's `Date`, which has whole seconds
 */
export function clockSkewMs(time: { date: number; sentAt: number; receivedAt: number }): number {
  const { date, sentAt, receivedAt } = time
  if (date > receivedAt) return receivedAt - date
  return Math.max(0, sentAt - (date + 1_000))
}

export function judgeClock(skewMs: number): Finding {
  const name = 'Clock'
  const direction = skewMs < 0 ? 'behind' : 'ahead of'
  const message = `This machine’s clock is ${Math.round(Math.abs(skewMs) / 1_000)} seconds ${direction} Slack’s.`
  if (Math.abs(skewMs) > FAIL_MS) return failed(name, message, FIX)
  if (Math.abs(skewMs) > WARN_MS) return warning(name, message, FIX)
  return ok(name, 'It differs from Slack’s by at most a few seconds.')
}
