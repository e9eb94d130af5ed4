import { connectedModal, connectModal } from '../../blocks/connect-modal.ts'
import { noticeModal } from '../../blocks/notice-modal.ts'
import { problem } from '../../blocks/problem.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { explain } from '../../explain.ts'
import { parseConnectForm } from '../../input/connect-form.ts'
import { LINES_BLOCKS } from '../../ids.ts'
import { textsOf } from '../../input/lines.ts'
import { faultText } from '../../input/slack-input-error.ts'
import { replyTarget } from '../../reply-target.ts'
import { requireAdmin } from '../../settings/admins-only.ts'
import { redrawBelow } from '../../settings/redraw-below.ts'
import { answerSubmission } from '../../submission.ts'
import { inputBlocks, type ViewArgs } from './view-args.ts'

/** The connect form was submitted: the key is tried, and kept if it is good. */
export const connectSubmitted =
  ({ connector, desk, homes, replies, logger }: Deps) =>
  async (args: ViewArgs): Promise<void> => {
    const { ack, body, view, client, context } = args
    const caller = callerOf(context, client, body)
    const { workspace } = caller
    const { values } = view.state
    const outcome = await answerSubmission({
      ack,
      client,
      viewId: view.id,
      blocks: inputBlocks(args),
      work: async () => {
        const input = parseConnectForm(values)
        await requireAdmin(caller, body.user.id)
        const { mayList } = await connector.connect(workspace.id, input, body.user.id)
        return { mayList, domains: input.domains }
      },
      explain,
      waiting: noticeModal('Connect Backhalf', 'Trying the key…'),
      redraw: async (messages) =>
        connectModal({
          ...(await connector.current(workspace)),
          domains: textsOf(values, LINES_BLOCKS.domains),
          notice: `${messages.join(' ')} The key was not kept: please enter it again.`,
        }),
      done: ({ mayList, domains }) => connectedModal(domains, mayList),
      closesWhenDone: false,
      logger,
    })
    if (outcome.ok) {
      await redrawBelow({ desk, logger }, caller, view)
      await homes.refresh(caller, body.user.id)
    } else if (!outcome.shown) {
      const messages = explain(outcome.error).map(faultText)
      await replies.send(client, replyTarget(body), problem([...messages, 'The key was not kept.']))
    }
  }
