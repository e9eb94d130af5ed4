import type { CodedError } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { NotInstalledError } from '../../workspaces/installations.ts'
import { KeyringError } from '../../workspaces/keyring.ts'
import { DatabaseUnavailableError } from '../../workspaces/write-if-installed.ts'
import { problemMessage } from '../block-kit/notices.ts'
import { replyTargetOf } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import type { Platform } from '../platform/platform.ts'

/** Bolt's code for a request that could not be authorized. */
const AUTHORIZATION_FAILED = 'slack_bolt_authorization_error'

/**
 * Answers a request whose workspace has no token. The user learns what to do if Slack sent an address to
 * answer to, or if the request comes from a workflow: neither needs our token.
 *
 * @returns whether it was such a request
 * @throws the error if a user submitted a form or pressed a button, and there is no such address: then
 *   Slack itself says that it did not work, and a form stays open with what the user typed
 */
export type UnauthorizedRequestHandler = (error: CodedError, body: object) => boolean

export function createUnauthorizedRequestHandler(
  { replies, tasks, logger }: Platform,
  {
    client,
    publicUrl,
  }: {
    /** Without a token. */
    client: WebClient
    publicUrl: string | undefined
  },
): UnauthorizedRequestHandler {
  const where = publicUrl ? `at ${publicUrl.replace(/\/$/, '')}/slack/install` : 'again'

  function explain(cause: unknown): string {
    if (cause instanceof NotInstalledError || cause instanceof KeyringError) {
      return `Backhalf isn’t installed in this workspace anymore, or has lost its access. An admin can install it ${where}.`
    }
    return cause instanceof DatabaseUnavailableError
      ? errorTexts(cause).join(' ')
      : 'Slack doesn’t let Backhalf in right now. Try again in a minute.'
  }

  return (error, body) => {
    if (error.code !== AUTHORIZATION_FAILED) return false
    const cause: unknown = error.original
    logger.warn({ reason: String(cause) }, 'there is no token to answer a request from Slack')
    const message = explain(cause)
    const target = replyTargetOf(body)
    const step = executedStep(body)
    const answer = target.responseUrl
      ? () => replies.send(client, target, problemMessage([message]))
      : step && (() => client.functions.completeError({ ...step, error: message }))
    if (!answer && showsOutcome(body)) throw error
    // Runs in the background, because Bolt acknowledges the request after this.
    if (answer) tasks.runInBackground(answer, 'a request without a token could not be answered')
    return true
  }
}

/** Whether Slack itself shows the user the outcome of the request. */
function showsOutcome({ type }: { type?: string }): boolean {
  return type === 'view_submission' || type === 'block_actions'
}

/** A workflow that waits for its step sends a token of its own. */
function executedStep(body: {
  event?: { function_execution_id?: string; bot_access_token?: string }
}): { function_execution_id: string; token: string } | undefined {
  const { function_execution_id, bot_access_token: token } = body.event ?? {}
  return function_execution_id && token ? { function_execution_id, token } : undefined
}
