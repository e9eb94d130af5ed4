import type { FastifyRequest } from 'fastify'
import { DatabaseUnavailableError } from '../../../database/errors.ts'
import type { LinkContext } from '../../store/context.ts'
import { createOwnerQueue } from '../owner-queue.ts'
import { may, readerOf, readViewer, type Viewer } from '../viewer.ts'
import type { BulkAction, NewValues } from './actions.ts'
import { changeLinks, type LinkResult } from './change-links.ts'

/** Changes that run whether or not their page is still open. */
export interface Job {
  total: number
  /** Of the links that are done. */
  results: LinkResult[]
  /** Why the other links were not changed. */
  stopped: string | undefined
  /** Never rejects. */
  ended: Promise<unknown>
}

export type Jobs = ReturnType<typeof createJobs>

/** Runs one job of an owner at a time. The next ones wait. */
export function createJobs(context: LinkContext) {
  const enter = createOwnerQueue()
  const running = new Set<Promise<unknown>>()
  let isStopping = false

  async function run(
    job: Job,
    request: FastifyRequest,
    ids: readonly string[],
    need: BulkAction['need'],
    newValues: NewValues | undefined,
  ): Promise<void> {
    const currentViewer = async (): Promise<Viewer | undefined> => {
      const viewer = isStopping ? undefined : await readViewer(context, request)
      if (viewer && may(viewer, need)) return viewer
      job.stopped = isStopping
        ? 'the service was stopped'
        : 'you signed out or may no longer change them'
      return undefined
    }
    try {
      for await (const batch of changeLinks(context, currentViewer, ids, need, newValues)) {
        job.results.push(...batch)
      }
    } catch (err) {
      const isUnavailable = err instanceof DatabaseUnavailableError
      job.stopped = isUnavailable ? 'the database was not available' : 'the service failed'
      if (!isUnavailable) request.log.error({ err }, 'many links could not be changed')
    }
  }

  return {
    /** @throws ServiceError RATE_LIMIT_EXCEEDED if too many jobs of the owner wait */
    start(
      request: FastifyRequest,
      ids: readonly string[],
      need: BulkAction['need'],
      newValues: NewValues | undefined,
    ): Job {
      const { promise: ended, resolve } = Promise.withResolvers<undefined>()
      const job: Job = { total: ids.length, results: [], stopped: undefined, ended }
      const turn = enter(readerOf(request.viewer), ended)
      running.add(ended)
      void turn
        .then(() => run(job, request, ids, need, newValues))
        .finally(() => {
          running.delete(ended)
          resolve(undefined)
        })
      return job
    },
    /** Ends each job after the links that it is changing. */
    stop(): void {
      isStopping = true
    },
    async ended(): Promise<void> {
      await Promise.all(running)
    },
  }
}
