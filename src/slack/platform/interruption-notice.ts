import type { Authorize } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { problemMessage } from '../block-kit/notices.ts'
import { COMMAND } from '../ids.ts'
import type { UnfinishedRequest } from './deliveries.ts'
import type { Platform } from './platform.ts'
import { privateTarget } from './reply-target.ts'

const MESSAGE = `Backhalf stopped before it could finish what you asked for. If you were making a link, it may exist: see ${COMMAND} list. Otherwise, try again.`
const STEP_MESSAGE =
  'Backhalf stopped before it could finish this step. The link may exist. Run the workflow again.'

/**
 * Tells a user, or a waiting workflow, that their request was not finished because the process ended. The
 * request is not run again, because only a create can be safely repeated.
 */
export function createInterruptionNotice(
  { replies }: Pick<Platform, 'replies'>,
  { authorize, clientOptions }: { authorize: Authorize<boolean>; clientOptions: WebClientOptions },
): (request: UnfinishedRequest) => Promise<void> {
  return async ({ workspace: { teamId, enterpriseId, isEnterpriseInstall }, target, step }) => {
    if (step) {
      const client = new WebClient(undefined, clientOptions)
      await client.functions.completeError({ ...step, error: STEP_MESSAGE })
      return
    }
    const { botToken } = await authorize({ teamId, enterpriseId, isEnterpriseInstall })
    const client = new WebClient(botToken, clientOptions)
    await replies.send(client, privateTarget(target), problemMessage([MESSAGE]))
  }
}
