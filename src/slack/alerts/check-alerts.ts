import type { ImageBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { failureOf } from '../../port/failures.ts'
import { dayOf, DAY_MS } from '../../timing/days.ts'
import { NEW_MEMORY, type AlertSubject, type StoredAlert } from '../../workspaces/alerts.ts'
import { NotConnectedError } from '../../workspaces/connection.ts'
import { image } from '../block-kit/messages.ts'
import { capitalized } from '../block-kit/mrkdwn.ts'
import { rankIn } from '../platform/caller.ts'
import { createDueWork, type DueWork } from '../platform/due-work.ts'
import { isPictureRefused } from '../platform/pictures.ts'
import { postTo } from '../platform/replies.ts'
import { patiently, type ClientFor } from '../platform/slack-client.ts'
import { isRefusal, slackErrorCode } from '../platform/slack-errors.ts'
import type { AlertPlatform } from './alert-list.ts'
import { alertMessage, endingMessage, type Ending } from './alert-message.ts'
import { evaluate, schedule, shortHash, type Due, type Figures, type Seen } from './evaluate.ts'
import { createLinkReader, type LinkReader } from './read-links.ts'

const EVERY_MS = 5 * 60_000
const METERED_EVERY_MS = 60 * 60_000 // If calls to the link service count toward a quota.
const RETRY_MS = 30 * 60_000

const MAX_SHARE = 1 / 20 // of the time. After a slow check of a workspace, the pause is longer.

interface AlertChecks extends AlertPlatform {
  clientFor: ClientFor
}

/**
 * Checks every few minutes what the alerts of each workspace wait for, and sends their messages. Only one process at a
 * time checks a workspace, and each message is sent at most once.
 */
export function createAlertChecks(checks: AlertChecks): DueWork {
  return createDueWork(checks, {
    due: (limit) => checks.alerts.due(limit),
    work: (id) => checkWorkspace(checks, id),
    failure: FAILURE,
  })
}

async function checkWorkspace(checks: AlertChecks, id: string): Promise<void> {
  const { alerts: store, clock, linkService, logger } = checks
  const start = clock.now()
  const alerts = await store.claimDue(id, start + EVERY_MS)
  try {
    const { apiKey } = await linkService.connection({ id })
    const capabilities = await linkService.knownCapabilities({ id })
    if (!capabilities) throw new Error('it isn’t known what the link service can do')
    const reader = createLinkReader(checks, { id }, capabilities)
    const keyHash = shortHash(apiKey)
    const failures: unknown[] = []
    for (const stored of alerts) {
      const checking = checkAlert(checks, stored, reader, keyHash)
      await checking.catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0 && failures.length === alerts.length) throw failures[0]
    if (failures.length > 0) logger.warn({ err: failures[0], workspaceId: id }, FAILURE)
    const tookMs = clock.now() - start
    const everyMs = capabilities.isMetered ? METERED_EVERY_MS : EVERY_MS
    await store.postpone(id, start + Math.max(everyMs, tookMs / MAX_SHARE))
  } catch (err) {
    if (err instanceof NotConnectedError) return end(checks, 'disconnected', alerts)
    logger.warn({ err, workspaceId: id }, FAILURE)
    await store.postpone(id, clock.now() + RETRY_MS)
  }
}

async function checkAlert(
  checks: AlertChecks,
  stored: StoredAlert,
  reader: LinkReader,
  keyHash: string,
): Promise<void> {
  const { alerts: store, clock, logger } = checks
  const now = clock.now()
  const { alert, workspaceId } = stored
  const { pending, sent } = stored.memory
  // After the API key was replaced, the service might show other links, so the alert forgets those that it has seen.
  const memory =
    stored.memory.key === keyHash ? stored.memory : { ...NEW_MEMORY, key: keyHash, pending, sent }
  const seen = await reader.read({ ...stored, memory }).catch((error: unknown) => {
    if (alert.about.kind === 'link' && failureOf(error, 'gone')) return 'gone' as const
    throw error
  })
  if (seen === 'gone') return end(checks, 'deleted', [stored])
  if (!seen) return // The service doesn't show what the alert needs.
  const outcome = evaluate(alert, memory, seen, now)
  const next = schedule(outcome.memory, outcome.events, now)
  let post: (() => Promise<unknown>) | undefined
  try {
    post = next.due && (await prepareMessage(checks, stored, next.due, seen, reader))
  } catch (err) {
    return logger.warn({ err, workspaceId }, NOT_SENT) // The next check finds the same events.
  }
  // The memory is stored before the message is sent, so that no event is sent twice.
  if (!(await store.remember(stored, next.memory))) return
  if (post) return send(checks, stored, post)
  // A message is due, but was not prepared, because the alert's creator can't see the links anymore.
  if (next.due) return end(checks, 'left', [stored])
  // An earlier check has sent the only message of this alert, but its process ended before it could end the alert.
  const isOver = alert.condition === 'reaches' && memory.told.length > 0
  if (isOver && pending.length === 0) await store.end(workspaceId, stored.id)
}

async function send(
  checks: AlertChecks,
  stored: StoredAlert,
  post: () => Promise<unknown>,
): Promise<void> {
  const { workspaceId: id, alert } = stored
  let isOver = alert.condition === 'reaches'
  try {
    await patiently(checks.clock, {}, post)
  } catch (err) {
    if (isRefusal(err) && alert.channel !== undefined) return end(checks, 'channel', [stored])
    checks.logger.warn({ err, workspaceId: id }, NOT_SENT)
    // If Slack refuses a direct message, it will refuse the next ones, too. After another failure, Slack might have
    // posted the message, so it isn't sent again.
    isOver = isRefusal(err)
  }
  if (isOver) await checks.alerts.end(id, stored.id)
}

/** Returns undefined if the alert's creator can't see links anymore. */
async function prepareMessage(
  checks: AlertChecks,
  stored: StoredAlert,
  due: Due,
  seen: Seen,
  reader: LinkReader,
): Promise<(() => Promise<unknown>) | undefined> {
  const { alert, createdBy } = stored
  const { about, channel = createdBy } = alert
  const client = await checks.clientFor(stored.workspaceId)
  if (!(await maySeeLinks(checks, client, stored))) return undefined
  const links = seen.links ?? (about.kind === 'link' ? await tryLink(reader, about.name) : [])
  const chart = clicksChart(checks, client, stored, seen.figures)
  const post = (shown?: ImageBlock) =>
    postTo(client, channel, alertMessage(stored, due, links, shown))
  return () =>
    post(chart).catch((error: unknown) => {
      if (!isPictureRefused(error)) throw error
      return post()
    })
}

const tryLink = async (reader: LinkReader, name: string) => {
  const link = await reader.link(name).catch(() => undefined)
  return link ? [link] : []
}

async function maySeeLinks(
  { settings }: AlertChecks,
  client: WebClient,
  { createdBy, workspaceId: id }: StoredAlert,
): Promise<boolean> {
  const { user } = await client.users.info({ user: createdBy }).catch((error: unknown) => {
    if (slackErrorCode(error) === 'user_not_found') return { user: undefined }
    throw error
  })
  if (!user || user.deleted) return false
  return rankIn(user, id) !== 'guest' || (await settings.read(id)).mayShorten === 'everyone'
}

function clicksChart(
  { chartSource, clock }: AlertChecks,
  client: WebClient,
  { workspaceId: id, alert }: StoredAlert,
  figures?: Figures,
): ImageBlock | undefined {
  const people = figures?.days?.slice(-CHART_DAYS) ?? []
  if (people.length === 0) return undefined
  const from = dayOf(clock.now() - (people.length - 1) * DAY_MS)
  const caller = { client, mayUploadFiles: false, workspace: { id } }
  const chart = { title: chartTitle(alert.about), from, series: [{ name: '', people }] }
  const { address } = chartSource(caller, chart)
  const alt = `Chart of the clicks of the last ${people.length} days`
  return address === undefined ? undefined : image(alt, { image_url: address })
}

async function end(
  { alerts: store, clientFor, logger }: AlertChecks,
  ending: Ending,
  alerts: readonly StoredAlert[],
): Promise<void> {
  for (const [place, together] of Map.groupBy(alerts, (stored) => recipient(ending, stored))) {
    const ended: StoredAlert[] = []
    for (const stored of together) {
      if (await store.end(stored.workspaceId, stored.id)) ended.push(stored)
    }
    const [first, ...others] = ended
    if (!first || place === undefined) continue
    try {
      const message = endingMessage(ending, [first, ...others])
      await postTo(await clientFor(first.workspaceId), place, message)
    } catch (err) {
      const { workspaceId } = first
      logger.warn({ err, workspaceId }, 'the message that an alert has ended could not be sent')
    }
  }
}

function recipient(ending: Ending, { alert, createdBy }: StoredAlert): string | undefined {
  if (ending === 'left') return alert.channel // An alert without a channel goes only to its creator, who has left.
  return ending === 'deleted' ? (alert.channel ?? createdBy) : createdBy
}

function chartTitle(about: AlertSubject): string {
  if (about.kind === 'all') return 'All links'
  if (about.kind === 'link') return about.shortUrl.replace(/^https?:\/\//, '')
  return `${capitalized(about.kind)} “${about.name}”`
}

const FAILURE = 'alerts could not be checked'
const NOT_SENT = 'an alert could not be sent'

const CHART_DAYS = 30
