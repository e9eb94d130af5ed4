import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'

type Executed = SlackEventMiddlewareArgs<'function_executed'> & AllMiddlewareArgs

/** A workflow has come to the step “Shorten a link”. The client has the execution's own token. */
export const shortenStep =
  ({ workflowStep }: Deps) =>
  async ({ event, body, client, context, complete, fail }: Executed): Promise<void> => {
    const { function_execution_id: id, inputs } = event
    await workflowStep.run(callerOf(context, client, body), { id, inputs, complete, fail })
  }
