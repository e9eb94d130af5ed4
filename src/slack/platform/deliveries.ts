import type { AckFn } from '@slack/bolt'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { within, type Clock } from '../../timing/clock.ts'
import type { DeliveryStore, WorkState } from '../../workspaces/deliveries.ts'

/** How many of the latest requests are remembered, and for how long, in milliseconds. */
const REMEMBERED = { max: 10_000, ttl: 10 * 60_000 }

/** How long work waits for the database before it is done without it, in milliseconds. */
const DATABASE_WITHIN_MS = 450

/** The parts of Bolt's arguments that identify a request from Slack. */
export interface Delivery<R> {
  body: object
  ack: AckFn<R>
}

/** What became of work that is done once: done now, done by an earlier request, or under way. */
export type WorkOutcome<T> = { state: 'done'; value: T } | { state: WorkState }

/** Answers each of Slack's requests once, although it may be delivered twice. */
export interface Deliveries {
  /**
   * Runs the work for the first delivery of a request to this process. Later deliveries only get the same
   * acknowledgement: Slack repeats events, and now and then a command over a slow socket (bolt-js issue 2188).
   */
  once<R>(delivery: Delivery<R>, work: (ack: AckFn<R>) => Promise<void>): Promise<void>
  /**
   * Does work once in all processes for a quarter of an hour, although several requests ask for it, such as
   * two clicks on a button. If it fails, it can be done again.
   *
   * @param key the same for the same work
   */
  doOnce<T>(key: string, work: () => Promise<T>): Promise<WorkOutcome<T>>
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
  /** How each of the latest requests was acknowledged; undefined if it was not. */
  const acknowledgements = new LRUCache<string, Promise<{ response: unknown } | undefined>>(
    REMEMBERED,
  )

  /** Returns undefined if the database fails or is slow, so that work is done without it. */
  async function ask<T>(question: Promise<T>): Promise<T | undefined> {
    const answer = question.catch((err: unknown) => {
      logger.error({ err }, 'the record of what was done once could not be used')
      return undefined
    })
    return (await within(clock, DATABASE_WITHIN_MS, answer))?.value
  }

  return {
    async once<R>({ body, ack }: Delivery<R>, work: (ack: AckFn<R>) => Promise<void>) {
      const id = deliveryId(body)
      if (id === undefined) return work(ack)
      const earlier = acknowledgements.get(id)
      if (earlier) {
        const found = await earlier
        if (found) await acknowledge(ack, found.response as R | undefined)
        return
      }
      const { promise, resolve } = Promise.withResolvers<{ response: unknown } | undefined>()
      acknowledgements.set(id, promise)
      try {
        await work((response) => {
          resolve({ response })
          return acknowledge(ack, response)
        })
      } finally {
        resolve(undefined)
      }
    },

    async doOnce(key, work) {
      const state = await ask(store.claim(key))
      if (state === 'done_before' || state === 'under_way') return { state }
      const value = await work().catch(async (error: unknown) => {
        await ask(store.release(key))
        throw error
      })
      await ask(store.finish(key))
      return { state: 'done', value }
    },
  }
}

/** Bolt's `ack` is called without an argument if there is no response. */
function acknowledge<R>(ack: AckFn<R>, response: R | undefined): Promise<void> {
  return response === undefined ? ack() : ack(response)
}

/** Slack's ID of the request, the same for each delivery. */
function deliveryId(body: { event_id?: string; trigger_id?: string }): string | undefined {
  return body.event_id ?? body.trigger_id
}
