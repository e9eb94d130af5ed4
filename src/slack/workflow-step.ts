import { setTimeout as sleep } from 'node:timers/promises'
import type { SlackEventMiddlewareArgs } from '@slack/bolt'
import { WebAPIRateLimitedError } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { AlreadyShortenedError } from './already-shortened-error.ts'
import type { CreatedLink } from './blocks/link-created.ts'
import { escape } from './blocks/mrkdwn.ts'
import type { Caller } from './caller.ts'
import { explain, isForeseen } from './explain.ts'
import { STEP_OUTPUTS } from './ids.ts'
import type { Draft } from './input/draft.ts'
import { faultText } from './input/slack-input-error.ts'
import { parseStepInputs } from './input/step-inputs.ts'
import type { QrPictures } from './qr-pictures.ts'
import type { Shortener } from './shortener.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Newest executions that are known again when Slack tells of one twice. */
const REMEMBERED = 1_000

/** Slack names no limit for an error's text; this is enough for a fault at every input. */
const ERROR_TEXT = 2_000

/** Slack's codes for an execution that has ended; with it ends the token that came along. */
const OVER = ['execution_not_in_running_state', 'function_execution_not_found', 'token_revoked']

/** How often an answer waits where Slack asks for that, with its `Retry-After`. */
const MAX_WAITS = 3

/** One execution of the step in somebody's workflow. */
export interface StepExecution extends Pick<
  SlackEventMiddlewareArgs<'function_executed'>,
  'complete' | 'fail'
> {
  id: string
  /** As Slack sent them, checked for nothing. */
  inputs: unknown
}

/** The workflow step: a link as the command makes it, handed on to the workflow. */
export interface WorkflowStep {
  /** Runs the step, and tells Slack how it ended: always, and once. Never throws. */
  run(caller: Caller, execution: StepExecution): Promise<void>
}

export function createWorkflowStep({
  shortener,
  qrPictures,
  logger,
  pause = sleep,
}: {
  shortener: Pick<Shortener, 'shorten'>
  qrPictures: QrPictures
  logger: Logger
  pause?: (ms: number) => Promise<unknown>
}): WorkflowStep {
  const begun = new LRUCache<string, true>({ max: REMEMBERED })

  async function shorten(caller: Caller, draft: Draft, id: string): Promise<CreatedLink> {
    try {
      return await shortener.shorten(caller, draft, id)
    } catch (error) {
      // A workflow that runs twice wants the link, not the news that it is there already.
      if (error instanceof AlreadyShortenedError) return error.existing
      throw error
    }
  }

  /** The picture is uploaded before the step completes: the token ends with that. */
  async function outputs(
    { client }: Caller,
    { shortlink, qrColor: color }: CreatedLink,
  ): Promise<Record<string, string>> {
    const text = shortlink.shortlink_url
    const picture = color && (await qrPictures.picture(client, { text, color }))
    return {
      [STEP_OUTPUTS.shortUrl]: text,
      ...(picture && 'image_url' in picture && { [STEP_OUTPUTS.qrAddress]: picture.image_url }),
      ...(picture && 'slack_file' in picture && { [STEP_OUTPUTS.qrFile]: picture.slack_file.id }),
    }
  }

  /** Slack takes some fifty answers a minute; in a burst of workflows each waits for its turn. */
  async function inTurn(answer: () => Promise<unknown>, waits = MAX_WAITS): Promise<void> {
    try {
      await answer()
    } catch (error) {
      if (!(error instanceof WebAPIRateLimitedError) || waits === 0) throw error
      await pause(error.retryAfter * 1_000)
      await inTurn(answer, waits - 1)
    }
  }

  return {
    async run(caller, { id, inputs, complete, fail }) {
      if (begun.has(id)) return
      begun.set(id, true)
      let draft: Draft | undefined
      try {
        draft = parseStepInputs(inputs)
        const made = await outputs(caller, await shorten(caller, draft, id))
        await inTurn(() => complete({ outputs: made }))
      } catch (error) {
        if (isOver(error)) return
        if (!isForeseen(error)) logger.error({ err: error }, 'a step failed')
        const words = explain(error, draft).map(faultText).join('\n')
        await inTurn(() => fail({ error: escape(words, ERROR_TEXT) })).catch((err: unknown) => {
          if (isOver(err)) return
          begun.delete(id)
          logger.error({ err }, 'and the workflow could not be told')
        })
      }
    },
  }
}

function isOver(error: unknown): boolean {
  return OVER.includes(slackErrorCode(error) ?? '')
}
