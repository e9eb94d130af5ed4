import type { FastifyRequest } from 'fastify'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseUnavailableError } from '../../../database/errors.ts'
import type { LinkContext } from '../../store/context.ts'
import { createOwnerQueue } from '../owner-queue.ts'
import { may, readQueue, readViewer, type Viewer } from '../viewer.ts'
import { type Change, changeLink, type LinkResult } from './change-link.ts'

/** These links share a commit, and other writes wait for no more than them. */
const LINKS_AT_ONCE = 50

export interface Job {
  total: number
  results: LinkResult[]
  stopReason?: string
  ended: Promise<unknown>
}

export function createJobs(context: LinkContext) {
  const enter = createOwnerQueue()
  const running = new Set<Promise<unknown>>()
  let isStopping = false

  /** Reads the viewer again. Returns undefined, and sets why the job stops, if they can no longer change links. */
  async function currentViewer(
    job: Job,
    request: FastifyRequest,
    { need }: Change,
  ): Promise<Viewer | undefined> {
    const viewer = isStopping ? undefined : await readViewer(context, request)
    if (viewer && may(viewer, need)) return viewer
    job.stopReason = isStopping
      ? 'the service was stopped'
      : 'you signed out or can no longer change them'
    return undefined
  }

  async function run(
    job: Job,
    request: FastifyRequest,
    ids: readonly string[],
    change: Change,
  ): Promise<void> {
    try {
      for (let at = 0; at < ids.length; at += LINKS_AT_ONCE) {
        const viewer = await currentViewer(job, request, change)
        if (!viewer) return
        const batch = ids.slice(at, at + LINKS_AT_ONCE)
        const changes = batch.map((id) => changeLink(context, viewer, id, change))
        for (const one of await Promise.allSettled(changes)) {
          if (one.status === 'fulfilled') job.results.push(one.value)
        }
        await Promise.all(changes) // Throws if one has failed. The others are counted.
        await nextTurn()
      }
    } catch (err) {
      const isUnavailable = err instanceof DatabaseUnavailableError
      job.stopReason = isUnavailable ? 'the database was not available' : 'the service failed'
      if (!isUnavailable) request.log.error({ err }, 'many links could not be changed')
    }
  }

  return {
    start(request: FastifyRequest, ids: readonly string[], change: Change): Job {
      const { promise: ended, resolve } = Promise.withResolvers<unknown>()
      const job: Job = { total: ids.length, results: [], ended }
      const turn = enter(readQueue(request.viewer), ended)
      running.add(ended)
      void turn
        .then(() => run(job, request, ids, change))
        .finally(() => resolve(running.delete(ended)))
      return job
    },
    stop(): void {
      isStopping = true
    },
    ended: () => Promise.all(running),
  }
}
