import { connectedModal, connectModal } from '../../blocks/connect-modal.ts'
import { noticeModal } from '../../blocks/notice-modal.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { parseConnectForm } from '../../input/connect-form.ts'
import { LINES_BLOCKS } from '../../ids.ts'
import { textsOf } from '../../input/lines.ts'
import { requireAdmin } from '../../settings/admins-only.ts'
import { redrawBelow } from '../../settings/redraw-below.ts'
import { answerForm } from './answer-form.ts'
import type { ViewArgs } from './view-args.ts'

/** The connect form was submitted: the key is tried, and kept if it is good. */
export const connectSubmitted =
  (deps: Deps) =>
  async (args: ViewArgs): Promise<void> => {
    const { body, view, client, context } = args
    const { connector, homes } = deps
    const caller = callerOf(context, client, body)
    const { workspace } = caller
    const { values } = view.state
    const connected = await answerForm(deps, args, {
      work: async () => {
        const input = parseConnectForm(values)
        await requireAdmin(caller, body.user.id)
        const { mayList } = await connector.connect(workspace.id, input, body.user.id)
        return { mayList, domains: input.domains }
      },
      waiting: noticeModal('Connect Backhalf', 'Trying the key…'),
      redraw: async (messages) =>
        connectModal({
          ...(await connector.current(workspace)),
          domains: textsOf(values, LINES_BLOCKS.domains),
          notice: `${messages.join(' ')} The key was not kept: please enter it again.`,
        }),
      done: ({ mayList, domains }) => connectedModal(domains, mayList),
      closesWhenDone: false,
      consequence: 'The key was not kept.',
    })
    if (connected) {
      await redrawBelow(deps, caller, view)
      await homes.refresh(caller, body.user.id)
    }
  }
