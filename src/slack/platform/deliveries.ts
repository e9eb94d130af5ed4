import { createHash } from 'node:crypto'
import type { AckFn } from '@slack/bolt'
import type { Logger } from 'pino'
import { z } from 'zod'
import { within, type Clock } from '../../timing/clock.ts'
import { currentRequestId, inRequest, isRequestId } from '../../http/request-context.ts'
import type { DeliveryStore } from '../../workspaces/deliveries.ts'
import { replyTargetOf } from './reply-target.ts'

/** How long a request waits for the database before it is answered without it, in milliseconds. */
const DATABASE_WITHIN_MS = 450

/** How often to look for another process's acknowledgement of a form, in milliseconds, and how many times. */
const LOOK_EVERY_MS = 110
const LOOKS = 20

/** How often a process reports that it is alive and looks for unfinished requests, in milliseconds. */
const LOOK_AFTER_OTHERS_MS = 15_000

/** What is stored to tell a user that their request was not finished. */
const unfinishedRequest = z.object({
  workspace: z.object({
    teamId: z.string().optional(),
    enterpriseId: z.string().optional(),
    isEnterpriseInstall: z.boolean(),
  }),
  target: z.object({
    userId: z.string(),
    responseUrl: z.string().optional(),
    threadTs: z.string().optional(),
    inChannel: z.boolean().optional(),
  }),
  /** For a step of a workflow, which waits for its outcome. */
  step: z.object({ function_execution_id: z.string(), token: z.string() }).optional(),
  /** The ID of its log lines. */
  requestId: z.string().refine(isRequestId).optional().catch(undefined),
})
export type UnfinishedRequest = z.infer<typeof unfinishedRequest>

/** The parts of Bolt's arguments that identify a request from Slack. */
export interface Delivery<R> {
  body: object
  context: {
    teamId?: string | undefined
    enterpriseId?: string | undefined
    isEnterpriseInstall: boolean
  }
  ack: AckFn<R>
}

/** What became of work that is done once: done now, done by an earlier request, or under way. */
export type WorkOutcome<T> = { state: 'done'; value: T } | { state: 'done_before' | 'under_way' }

/**
 * Answers each of Slack's requests once, although Slack or a proxy may deliver it twice, and several processes
 * may serve the app.
 */
export interface Deliveries {
  /**
   * Runs the work for the first delivery of a request. Later deliveries, to any process, only get the same
   * acknowledgement.
   */
  once<R>(delivery: Delivery<R>, work: (ack: AckFn<R>) => Promise<void>): Promise<void>
  /**
   * Does work once in all processes for a quarter of an hour, although several requests ask for it, such as
   * two clicks on a button. If it fails, it can be done again.
   *
   * @param key the same for the same work
   */
  doOnce<T>(key: string, work: () => Promise<T>): Promise<WorkOutcome<T>>
  /**
   * Calls `answer` for each request whose process ended before answering it, now and every few seconds.
   *
   * @returns a function that stops this
   */
  watch(answer: (request: UnfinishedRequest) => Promise<void>): () => void
}

export function createDeliveries({
  store,
  clock,
  logger,
}: {
  store: DeliveryStore
  clock: Clock
  logger: Logger
}): Deliveries {
  /** The requests that this process works on, by ID. */
  const running = new Set<string>()

  /** Returns `otherwise` if the database fails or is slow, so that requests are answered without it. */
  async function ask<T>(question: Promise<T>, otherwise: T): Promise<T> {
    const answer = question.catch((err: unknown) => {
      logger.error({ err }, 'the record of Slack’s requests could not be used')
      return otherwise
    })
    return ((await within(clock, DATABASE_WITHIN_MS, answer)) ?? { value: otherwise }).value
  }

  async function workOn<R>(
    id: string,
    { body, ack }: Delivery<R>,
    work: (ack: AckFn<R>) => Promise<void>,
  ): Promise<void> {
    try {
      await work(async (response) => {
        if (isForm(body)) await ask(store.saveAcknowledgement(id, response), undefined)
        await (response === undefined ? ack() : ack(response))
      })
    } finally {
      await ask(store.finish(id), undefined)
    }
  }

  async function acknowledgeLikeFirst<R>(id: string, { body, ack }: Delivery<R>): Promise<void> {
    if (!isForm(body)) return ack()
    for (let look = 0; look < LOOKS; look++) {
      const found = await ask(store.acknowledgement(id), undefined)
      if (found) return found.response === undefined ? ack() : ack(found.response as R)
      await clock.sleep(LOOK_EVERY_MS)
    }
    // Without an acknowledgement, Slack keeps the form open with what the user typed.
  }

  /** Goes on under the ID of the request, so that the log lines of both processes are found together. */
  async function tellUser(
    answer: (request: UnfinishedRequest) => Promise<void>,
    stored: unknown,
  ): Promise<void> {
    const { requestId } = unfinishedRequest.pick({ requestId: true }).safeParse(stored).data ?? {}
    await inRequest(async () => {
      try {
        await answer(unfinishedRequest.parse(stored))
        logger.warn('a request was not finished because its process ended; its user was told')
      } catch (err) {
        logger.error({ err }, 'a user could not be told that a request was not finished')
      }
    }, requestId)
  }

  async function answerAbandoned(
    answer: (request: UnfinishedRequest) => Promise<void>,
  ): Promise<void> {
    try {
      await store.keepAlive(running)
      for (const { id, request } of await store.takeAbandoned()) {
        await tellUser(answer, request)
        await store.finish(id)
      }
    } catch (err) {
      logger.warn({ err }, 'unfinished requests could not be looked for')
    }
  }

  return {
    async once(delivery, work) {
      const id = deliveryId(delivery.body)
      if (id === undefined) return work(delivery.ack)
      if (running.has(id)) return acknowledgeLikeFirst(id, delivery)
      running.add(id)
      try {
        const isFirst = await ask(store.claim(id, unfinishedRequestOf(delivery)), true)
        await (isFirst ? workOn(id, delivery, work) : acknowledgeLikeFirst(id, delivery))
      } finally {
        running.delete(id)
      }
    },

    async doOnce(key, work) {
      const id = hash(key)
      if (running.has(id)) return { state: 'under_way' }
      running.add(id)
      try {
        if (!(await ask(store.claimWork(id), true))) {
          const done = await ask(store.acknowledgement(id), undefined)
          return { state: done ? 'done_before' : 'under_way' }
        }
        const value = await work().catch(async (error: unknown) => {
          await ask(store.releaseWork(id), undefined)
          throw error
        })
        await ask(store.saveAcknowledgement(id, undefined), undefined)
        return { state: 'done', value }
      } finally {
        running.delete(id)
      }
    },

    watch(answer) {
      const look = (): void => void answerAbandoned(answer)
      const timer = setInterval(look, LOOK_AFTER_OTHERS_MS)
      timer.unref()
      look()
      return () => clearInterval(timer)
    },
  }
}

function isForm(body: object): boolean {
  return 'type' in body && body.type === 'view_submission'
}

/** Slack's ID of the request, the same for each delivery. */
function deliveryId(body: object): string | undefined {
  const { trigger_id: trigger, event_id: event } = body as {
    trigger_id?: string
    event_id?: string
  }
  const id = event ?? trigger
  return id && hash(id)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function unfinishedRequestOf({
  body,
  context,
}: Pick<Delivery<never>, 'body' | 'context'>): UnfinishedRequest {
  const { teamId, enterpriseId, isEnterpriseInstall } = context
  const { userId, responseUrl, threadTs, inChannel } = replyTargetOf(body)
  const { event } = body as {
    event?: { function_execution_id?: string; bot_access_token?: string }
  }
  const { function_execution_id, bot_access_token: token } = event ?? {}
  return {
    workspace: { teamId, enterpriseId, isEnterpriseInstall },
    target: { userId, responseUrl, threadTs, inChannel },
    step: function_execution_id && token ? { function_execution_id, token } : undefined,
    requestId: currentRequestId(),
  }
}
