import { problem } from '../../blocks/problem.ts'
import type { Deps } from '../../deps.ts'
import { explain, type Asked } from '../../explain.ts'
import { faultText, type Fault } from '../../input/slack-input-error.ts'
import { privately, replyTarget, type ReplyTarget } from '../../reply-target.ts'
import { answerSubmission, type Submission } from '../../submission.ts'
import { inputBlocks, type ViewArgs } from './view-args.ts'

/** What a submitted form does and looks like, and what is told of a failure that it can't show. */
export interface Form<T> extends Pick<
  Submission<T>,
  'work' | 'waiting' | 'redraw' | 'done' | 'closesWhenDone'
> {
  /** What was asked of the service, where it is a create: a failure is explained by it. */
  request?: Asked
  /** Where a failure is told; unless given, where the payload says that an answer goes. */
  target?: ReplyTarget
  /** Told after the failure, as a sentence. */
  consequence?: string
  /** What was typed, to be copied from. */
  typed?: string
}

/**
 * Runs a submitted form (`answerSubmission`), and tells of a failure in the conversation where the
 * person has closed the form before that.
 *
 * @returns what the work came to and whether the form shows it; undefined once a failure is told
 */
export async function answerForm<T>(
  { replies, logger }: Pick<Deps, 'replies' | 'logger'>,
  args: ViewArgs,
  { request, target, consequence, typed, ...form }: Form<T>,
): Promise<{ value: T; shown: boolean } | undefined> {
  const { ack, body, view, client } = args
  const inWords = (error: unknown): readonly Fault[] => explain(error, request)
  const outcome = await answerSubmission({
    ...form,
    ack,
    client,
    viewId: view.id,
    blocks: inputBlocks(args),
    explain: inWords,
    logger,
  })
  if (outcome.ok) return outcome
  if (!outcome.shown) {
    const messages = inWords(outcome.error).map(faultText)
    if (consequence) messages.push(consequence)
    await replies.send(client, privately(target ?? replyTarget(body)), problem(messages, { typed }))
  }
  return undefined
}
