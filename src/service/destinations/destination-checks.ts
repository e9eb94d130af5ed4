import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { createInFlightTasks } from '../../http/in-flight-tasks.ts'
import type { DestinationMetrics } from '../../metrics/service-metrics.ts'
import { DAY_MS } from '../../timing/days.ts'
import { redirectUrl } from '../store/destination.ts'
import { recordCheck } from '../store/destination-problems.ts'
import * as walks from '../store/destination-walk.ts'
import type { ServiceContext } from '../store/context.ts'
import type { LinkRow } from '../store/links.ts'
import type { Answer, AskDestination, Network } from './request-destination.ts'

const REQUEST_EVERY_MS = 500
const HOST_EVERY_MS = 60_000
const LOOK_EVERY_MS = 60_000
const NEW_AFTER_MS = 60 * 60_000
const MAX_REDIRECTS = 5

/** A longer `Retry-After` doesn't keep the other links to a host from being checked. */
const MAX_HOST_PAUSE_MS = DAY_MS

const OFFLINE_AFTER_MS = DAY_MS

/** Checks beyond these limits have to wait until tomorrow. */
const MAX_WAITING_FOR_HOST = 1_000
const MAX_WAITING = 10_000
const MAX_ADDED = 200

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

/** Checks the destinations of recently clicked links once a day, and of new links after an hour. */
export function createDestinationChecks({
  logger,
  publicUrl,
  metrics,
  network,
  ...context
}: ChecksOptions) {
  const { db, now } = context
  const ownId = randomUUID()
  let client: Promise<AskDestination> | undefined
  // The client is imported late, so that the service starts faster.
  async function openClient(): Promise<AskDestination> {
    const { createDestinationClient } = await import('./request-destination.ts')
    const docs = new URL('/docs', publicUrl).href
    return createDestinationClient(`BackhalfBot/1.0 (checks links; +${docs})`, network)
  }

  const waiting = new Map<string, Check[]>()
  const nextAt = new Map<string, number>()
  const queued = new Set<string>()
  let lookedAt = now()
  let isStopped = false
  let lastAnswerAt = -Infinity

  function add(check: Check): void {
    const { hostname: host } = check.url
    const queue = waiting.get(host) ?? []
    if (queue.length >= MAX_WAITING_FOR_HOST || queued.size >= MAX_WAITING) return
    queued.add(check.link.id)
    queue.push(check)
    waiting.set(host, queue)
  }

  async function look(): Promise<void> {
    const time = now()
    const walk = await walks.holdWalk(context, ownId, time)
    const since = lookedAt
    lookedAt = time
    if (!walk) {
      waiting.clear()
      queued.clear()
      return
    }
    const found = await walks.selectProblems(context, time, MAX_ADDED)
    const period = [since - NEW_AFTER_MS, time - NEW_AFTER_MS] as const
    found.push(...(await walks.selectCreated(context, period, time, MAX_ADDED)))
    if (walk.limit > 0) {
      const { links, end } = await walks.selectWalked(context, walk.after, time, walk.limit)
      found.push(...links)
      await walks.moveWalk(context, end, time)
    }
    for (const link of found) {
      if (queued.has(link.id)) continue
      const { id, destination_hash } = link
      const url = new URL(redirectUrl(link))
      add({ link: { id, destination_hash }, url, method: 'HEAD', redirects: 0 })
    }
    for (const [host, pausedUntil] of nextAt) if (pausedUntil <= time) nextAt.delete(host)
  }

  function takeNext(): Check | undefined {
    const time = now()
    for (const [host, queue] of waiting) {
      if ((nextAt.get(host) ?? 0) > time) continue
      const next = queue.shift()
      waiting.delete(host)
      if (queue.length > 0) waiting.set(host, queue)
      nextAt.set(host, time + HOST_EVERY_MS)
      if (next) queued.delete(next.link.id)
      return next
    }
    return undefined
  }

  async function step(): Promise<boolean> {
    const check = takeNext()
    if (!check) return false
    const ask = await (client ??= openClient())
    const answer = await ask(check.url, check.method)
    // If the checks were stopped meanwhile, the request was cut off, and says nothing about the destination.
    if (isStopped) return false
    if (['works', 'redirects'].includes(answer.kind) || 'status' in answer) lastAnswerAt = now()
    const next = nextRequest(check, answer)
    if (next) {
      add(next)
      return true
    }
    const { retryAfterMs = 0 } = 'retryAfterMs' in answer ? answer : {}
    if (retryAfterMs > 0) {
      const pauseMs = Math.min(Math.max(retryAfterMs, HOST_EVERY_MS), MAX_HOST_PAUSE_MS)
      nextAt.set(check.url.hostname, now() + pauseMs)
    }
    // If no destination has answered lately, our own network is the likelier reason.
    const isOffline = answer.kind === 'fails' && now() - lastAnswerAt > OFFLINE_AFTER_MS
    const outcome = answer.kind === 'redirects' || isOffline ? 'unclear' : answer.kind
    metrics?.checks.inc({ outcome })
    const reason = 'reason' in answer ? answer.reason : 'too many redirects'
    // The service can't check a private address, so the dashboard shows no problem for it.
    const recorded = outcome === 'private' ? 'works' : outcome
    await recordCheck(db, check.link, { outcome: recorded, reason, retryAfterMs }, now())
    return true
  }

  return {
    look,
    step,
    start(): () => Promise<void> {
      const tasks = createInFlightTasks(logger)
      const run = (work: () => Promise<unknown>): void =>
        tasks.runInBackground(work, 'destinations of links could not be checked')
      const timers = [
        setInterval(() => run(look), LOOK_EVERY_MS),
        setInterval(() => run(step), REQUEST_EVERY_MS),
      ]
      for (const timer of timers) timer.unref()
      return async () => {
        for (const timer of timers) clearInterval(timer)
        isStopped = true
        await tasks.drained()
      }
    },
  }
}

/** Follows a redirect, or repeats a HEAD as GET, because many servers answer HEAD badly. */
function nextRequest(check: Check, answer: Answer): Check | undefined {
  if (answer.kind === 'redirects' && check.redirects < MAX_REDIRECTS) {
    return { ...check, url: answer.to, redirects: check.redirects + 1 }
  }
  const isBad = answer.kind === 'unclear' || 'status' in answer
  const isBusy = 'retryAfterMs' in answer || ('status' in answer && answer.status === 429)
  return check.method === 'HEAD' && isBad && !isBusy ? { ...check, method: 'GET' } : undefined
}
