import type { CodedError } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import { KeyringError } from '../../workspaces/keyring-error.ts'
import { problem } from '../blocks/problem.ts'
import type { Replies } from '../replies.ts'
import { replyTarget } from '../reply-target.ts'
import type { Work } from '../work.ts'
import { NotInstalledError } from './not-installed-error.ts'

/** Bolt's code for it. */
const AUTHORIZATION_FAILED = 'slack_bolt_authorization_error'

/**
 * Whether a request failed because there is no token for its workspace. Whoever sent it is told
 * what to do where Slack gave an address to answer at, or is a workflow: neither needs our token.
 *
 * @throws the error, where somebody submitted a form or pressed a button that has no such address:
 *   Slack then says itself that it did not work, and a form stays open, with what was typed
 */
export type TurnedAway = (error: CodedError, body: object) => boolean

export function createTurnedAway({
  replies,
  client,
  publicUrl,
  work,
  logger,
}: {
  replies: Replies
  /** Without a token. */
  client: WebClient
  publicUrl: string | undefined
  work: Work
  logger: Logger
}): TurnedAway {
  const where = publicUrl ? `at ${publicUrl.replace(/\/$/, '')}/slack/install` : 'once more'
  return (error, body) => {
    if (error.code !== AUTHORIZATION_FAILED) return false
    const cause: unknown = error.original
    logger.warn({ reason: String(cause) }, 'a request from Slack had no token to be answered with')
    const lasting = cause instanceof NotInstalledError || cause instanceof KeyringError
    const words = lasting
      ? `The app isn’t installed in this workspace any more, or has lost its access. An admin can install it ${where}.`
      : 'Slack doesn’t let the app in just now. Try again in a minute.'
    const target = replyTarget(body)
    const step = executedStep(body)
    const tell = target.responseUrl
      ? () => replies.send(client, target, problem([words]))
      : step && (() => client.functions.completeError({ ...step, error: words }))
    if (!tell && isWaitedFor(body)) throw error
    // Not waited for: Bolt acknowledges the request after this.
    if (tell) {
      work
        .track<unknown>(tell)
        .catch((err: unknown) => logger.warn({ err }, 'and nobody could be told'))
    }
    return true
  }
}

/** Whether Slack shows a person how it went. */
function isWaitedFor({ type }: { type?: string }): boolean {
  return type === 'view_submission' || type === 'block_actions'
}

/** A workflow that waits for its step brings a token of its own. */
function executedStep(body: {
  event?: { function_execution_id?: string; bot_access_token?: string }
}): { function_execution_id: string; token: string } | undefined {
  const { function_execution_id, bot_access_token: token } = body.event ?? {}
  return function_execution_id && token ? { function_execution_id, token } : undefined
}
