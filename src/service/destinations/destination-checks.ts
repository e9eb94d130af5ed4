import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { createInFlightTasks } from '../../http/in-flight-tasks.ts'
import type { DestinationMetrics } from '../../metrics/service-metrics.ts'
import { DAY_MS } from '../../timing/days.ts'
import { redirectUrl } from '../store/destination.ts'
import * as store from '../store/destination-problems.ts'
import type { ServiceContext } from '../store/context.ts'
import type { LinkRow } from '../store/links.ts'
import type { Answer, Network, SendRequest } from './request-destination.ts'

const REQUEST_EVERY_MS = 500
const REQUEST_TO_HOST_EVERY_MS = 60_000
const SELECT_EVERY_MS = 60_000
const MAX_REDIRECTS = 5

// The longest pause between requests to a host, although its `Retry-After` might be longer.
const MAX_HOST_PAUSE_MS = DAY_MS

const OFFLINE_AFTER_MS = DAY_MS

// Checks beyond these limits wait until the next day.
const MAX_QUEUED_FOR_HOST = 1_000
const MAX_QUEUED = 10_000

interface Check {
  link: Pick<LinkRow, 'id' | 'destination_hash'>
  url: URL
  method: 'HEAD' | 'GET'
  redirects: number
}

interface ChecksOptions extends ServiceContext {
  logger: Pick<FastifyBaseLogger, 'error'>
  publicUrl: string
  metrics?: DestinationMetrics | undefined
  network?: Network | undefined
}

/** Checks recently clicked destinations once a day, and new ones after an hour. A host gets one request a minute. */
export function createDestinationChecks({
  logger,
  publicUrl,
  metrics,
  network,
  ...context
}: ChecksOptions) {
  const { db, now } = context
  const processId = randomUUID()
  const stopping = new AbortController()
  let client: Promise<SendRequest> | undefined
  // The client is imported late, so that the service starts faster.
  async function openClient(): Promise<SendRequest> {
    const { createDestinationClient } = await import('./request-destination.ts')
    const docs = new URL('/docs', publicUrl).href
    const userAgent = `BackhalfBot/1.0 (checks links; +${docs})`
    return createDestinationClient(userAgent, stopping.signal, network)
  }

  const queues = new Map<string, Check[]>()
  const pausedUntil = new Map<string, number>()
  const queuedLinkIds = new Set<string>()
  let selectedAt = now()
  let lastAnswerAt = -Infinity

  function enqueue(check: Check): void {
    const { hostname } = check.url
    const queue = queues.get(hostname) ?? []
    if (queue.length >= MAX_QUEUED_FOR_HOST || queuedLinkIds.size >= MAX_QUEUED) return
    queuedLinkIds.add(check.link.id)
    queue.push(check)
    queues.set(hostname, queue)
  }

  async function fillQueues(): Promise<void> {
    const time = now()
    // The walk goes through all links, once a day. Only the process that holds the lease on it checks destinations.
    const walk = await store.continueWalk(context, processId, time)
    const previousTime = selectedAt
    selectedAt = time
    if (!walk) {
      queues.clear()
      queuedLinkIds.clear()
      return
    }
    const links = [
      ...(await store.selectProblems(context, time)),
      ...(await store.selectCreated(context, previousTime, time)),
      ...(await store.selectWalked(context, walk, time)),
    ]
    for (const link of links) {
      if (queuedLinkIds.has(link.id)) continue
      const { id, destination_hash } = link
      const url = new URL(redirectUrl(link))
      enqueue({ link: { id, destination_hash }, url, method: 'HEAD', redirects: 0 })
    }
    for (const [hostname, end] of pausedUntil) {
      if (end <= time) pausedUntil.delete(hostname)
    }
  }

  function takeNext(): Check | undefined {
    const time = now()
    for (const [hostname, queue] of queues) {
      if ((pausedUntil.get(hostname) ?? 0) > time) continue
      const next = queue.shift()
      // Moves the host to the end, so that hosts take turns.
      queues.delete(hostname)
      if (queue.length > 0) queues.set(hostname, queue)
      pausedUntil.set(hostname, time + REQUEST_TO_HOST_EVERY_MS)
      if (next) queuedLinkIds.delete(next.link.id)
      return next
    }
    return undefined
  }

  /** @returns false if no request is due */
  async function sendNext(): Promise<boolean> {
    const check = takeNext()
    if (!check) return false
    const sendRequest = await (client ??= openClient())
    const answer = await sendRequest(check.url, check.method)
    // The request was aborted, which says nothing about the destination.
    if (stopping.signal.aborted) return false
    if (answer.status !== undefined) lastAnswerAt = now()
    const next = nextRequest(check, answer)
    if (next) enqueue(next)
    else await recordAnswer(check, answer)
    return true
  }

  async function recordAnswer({ link, url }: Check, answer: Answer): Promise<void> {
    const { kind, retryAfterMs = 0 } = answer
    const reason = kind === 'redirects' ? 'too many redirects' : (answer.reason ?? '')
    if (retryAfterMs > 0) {
      const pauseMs = Math.min(Math.max(retryAfterMs, REQUEST_TO_HOST_EVERY_MS), MAX_HOST_PAUSE_MS)
      pausedUntil.set(url.hostname, now() + pauseMs)
    }
    // If no destination has responded for a day, the failure is probably in our own network.
    const isOffline = kind === 'fails' && now() - lastAnswerAt > OFFLINE_AFTER_MS
    const outcome = kind === 'redirects' || isOffline ? 'unclear' : kind
    metrics?.checks.inc({ outcome })
    // The service can't check a private address, so the dashboard shows no problem for it.
    const recorded = outcome === 'private' ? 'works' : outcome
    await store.recordCheck(db, link, { outcome: recorded, reason, retryAfterMs }, now())
  }

  return {
    fillQueues,
    sendNext,
    start(): () => Promise<void> {
      const tasks = createInFlightTasks(logger)
      const run = (work: () => Promise<unknown>): void =>
        tasks.runInBackground(work, 'destinations of links could not be checked')
      const timers = [
        setInterval(() => run(fillQueues), SELECT_EVERY_MS),
        setInterval(() => run(sendNext), REQUEST_EVERY_MS),
      ]
      for (const timer of timers) timer.unref()
      return async () => {
        for (const timer of timers) clearInterval(timer)
        stopping.abort()
        await tasks.drained()
      }
    },
  }
}

// Follows a redirect, or repeats a HEAD as GET, because many servers don't support HEAD. Undefined if neither applies.
function nextRequest(check: Check, answer: Answer): Check | undefined {
  const { kind, status, to, retryAfterMs = 0 } = answer
  if (to && check.redirects < MAX_REDIRECTS) {
    return { ...check, url: to, redirects: check.redirects + 1 }
  }
  const isError = kind === 'unclear' || (kind === 'fails' && status !== undefined)
  const isRateLimited = retryAfterMs > 0 || status === 429
  return check.method === 'HEAD' && isError && !isRateLimited
    ? { ...check, method: 'GET' }
    : undefined
}
