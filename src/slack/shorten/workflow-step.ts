import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { asObject } from '../../values/unknown-values.ts'
import { escape, unwrapLink } from '../block-kit/mrkdwn.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import { STEP_OUTPUTS } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts, isExpected } from '../platform/error-messages.ts'
import { SlackInputError, type FieldError } from '../platform/field-errors.ts'
import type { QrSource } from '../platform/pictures.ts'
import { patiently } from '../platform/slack-client.ts'
import type { Draft } from './draft.ts'
import { DuplicateError } from './duplicate/find-duplicate.ts'
import { shortenLink } from './shorten-link.ts'

/** manifest.yml has the same inputs. */
export const STEP_INPUTS = [
  'destination_url',
  'domain',
  'back_half',
  'title',
  'tags',
  'template',
  ...UTM_PARAMETERS,
] as const

/** Reads the step's inputs, which can hold anything, whatever type the manifest declares. Ignores unknown inputs. */
function parseStepInputs(inputs: unknown): Draft {
  const values = asObject(inputs)
  const draft: Draft = {}
  const issues: FieldError[] = []
  for (const field of STEP_INPUTS) {
    const value = values[field] ?? ''
    if (typeof value !== 'string') {
      const message =
        'The workflow filled this in with something that isn’t text. Use text, or a variable that holds text.'
      issues.push({ field, message })
    } else if (value.trim() !== '') {
      draft[field] = field === 'destination_url' ? unwrapLink(value.trim()) : value.trim()
    }
  }
  if (issues.length > 0) throw new SlackInputError(issues)
  return draft
}

export type StepExecution = Pick<
  SlackEventMiddlewareArgs<'function_executed'> & AllMiddlewareArgs,
  'event' | 'complete' | 'fail'
>

// Slack documents no limit for an error's text. This is enough for an issue at every input.
const MAX_ERROR_LENGTH = 2_000

// Slack accepts about fifty results a minute, so the results of many workflows have to wait for the rate limit.
const PATIENCE = { limitedMs: 5 * 60_000, pausesMs: [1_000, 5_000, 15_000] }

/** Runs the workflow step *Shorten a link*, and reports its outcome to Slack exactly once. Never rejects. */
export async function runStep(platform: ShortenPlatform, caller: Caller, execution: StepExecution) {
  // Slack can deliver an execution twice, as different events.
  await platform
    .doOnce(`step ${execution.event.function_execution_id}`, () =>
      runOnce(platform, caller, execution),
    )
    .catch((err: unknown) => {
      platform.logger.error({ err }, 'the failure could not be reported to the workflow')
    })
}

async function runOnce(
  platform: ShortenPlatform,
  caller: Caller,
  { event, complete, fail }: StepExecution,
): Promise<void> {
  const { clock, logger, qrSource } = platform
  let shortUrl: string | undefined
  try {
    const draft = parseStepInputs(event.inputs)
    const link = await shortenLink(platform, caller, draft, event.function_execution_id).catch(
      (error: unknown) => {
        // The existing link is as good as a new one, so that a workflow can run twice with the same destination.
        if (error instanceof DuplicateError && !error.link.state) return error.link
        throw error
      },
    )
    shortUrl = link.shortlink_url
    const result = await outputs(qrSource, caller, link)
    await patiently(clock, PATIENCE, () => complete({ outputs: result }))
  } catch (error) {
    if (!isExpected(error)) logger.error({ err: error }, 'a workflow step failed')
    const text = shortUrl
      ? `The short link ${shortUrl} was created, but Slack didn’t accept it as the step’s result.`
      : errorTexts(error).join('\n')
    await patiently(clock, PATIENCE, () => fail({ error: escape(text, MAX_ERROR_LENGTH) }))
  }
}

/** Uploads the picture before the step completes, because the token expires then. */
async function outputs(qrSource: QrSource, caller: Caller, link: ShownLink) {
  const shortUrl = { [STEP_OUTPUTS.shortUrl]: link.shortlink_url }
  const { address, upload } = await qrSource(caller, link)
  if (address !== undefined) return { ...shortUrl, [STEP_OUTPUTS.qrAddress]: address }
  const file = typeof upload === 'function' ? await upload() : undefined
  return file && 'slack_file' in file
    ? { ...shortUrl, [STEP_OUTPUTS.qrFile]: file.slack_file.id }
    : shortUrl
}
