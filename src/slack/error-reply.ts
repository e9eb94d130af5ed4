import type { Context } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { problem, type WhatWasTyped } from './blocks/problem.ts'
import type { Deps } from './deps.ts'
import { explain, isForeseen } from './explain.ts'
import { faultText } from './input/slack-input-error.ts'
import { privately, replyTarget } from './reply-target.ts'

/** What every listener is given, as far as answering an error needs it. */
export interface ListenerArgs {
  body: object
  client: WebClient
  context: Context
  ack?: () => Promise<void>
}

/**
 * Wraps a listener at its registration: counts it as work under way, and turns any error into a
 * message to whoever waits for an answer.
 *
 * @param typed what the person typed, to be shown again; the form is offered where a field is at fault
 */
export function withErrorReply<A extends ListenerArgs>(
  { work, replies, logger }: Pick<Deps, 'work' | 'replies' | 'logger'>,
  listener: (args: A) => Promise<void>,
  typed: (args: A) => WhatWasTyped = () => ({}),
): (args: A) => Promise<void> {
  return (args) =>
    work.track(async () => {
      try {
        await listener(args)
      } catch (error) {
        if (!isForeseen(error)) logger.error({ err: error }, 'a listener failed')
        await args.ack?.().catch(() => undefined) // Most have acknowledged before they failed.
        const faults = explain(error)
        const was = typed(args)
        const command = faults.some(({ field }) => field) ? was.command : undefined
        const answer = problem(faults.map(faultText), { ...was, command })
        await replies
          .send(args.client, privately(replyTarget(args.body)), answer)
          .catch((err: unknown) => logger.error({ err }, 'and the answer did not get through'))
      }
    })
}
