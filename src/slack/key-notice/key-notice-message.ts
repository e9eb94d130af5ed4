import type { ApiError } from '../../client/errors.ts'
import type { KeyNotice } from '../../workspaces/key-notices.ts'
import { actions, button, context, section, type MessageContent } from '../block-kit/elements.ts'
import { cut, escape } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'

/** How many characters of the service's own words are shown. */
const MAX_WORDS = 300

/** What an admin needs to know about a key that stopped working. */
export interface StoppedKey {
  error: Pick<ApiError, 'status' | 'explanation'>
  source: KeyNotice['source']
  /** The link service's address, for users. */
  serviceUrl: string
}

/** Tells an admin that the workspace's key no longer works. */
export function keyNoticeMessage({ error, source, serviceUrl }: StoppedKey): MessageContent {
  const { status, explanation = '' } = error
  const words = cut(explanation.replace(/\s+/g, ' ').trim(), MAX_WORDS)
  const reason =
    status === 401
      ? 'The link service doesn’t accept this workspace’s API key anymore. It may have expired, or someone may have revoked it.'
      : 'The link service doesn’t let this workspace’s API key make links.'
  const summary = 'Backhalf can’t make short links in this workspace.'
  return {
    text: `${summary} ${reason}`,
    blocks: [
      section(`:key: *${summary}* ${reason}`),
      ...(words ? [section(`The link service says: “${escape(words)}”`)] : []),
      section(
        source === 'connected'
          ? `To fix this, create a new key at ${escape(serviceUrl)} and enter it here.`
          : `Backhalf created this key automatically. To get a new one, open the settings, choose *Disconnect*, and then *Connect again*. You can also enter a key that you created at ${escape(serviceUrl)}.`,
      ),
      ...actions([
        ...(source === 'provisioned' ? [button('Open settings', ACTIONS.openSettings)] : []),
        button('Enter a new key', ACTIONS.openConnect, { style: 'primary' }),
      ]),
      context(
        `\`${COMMAND} connect\` does the same. Backhalf sends this message once for each key that stops working.`,
      ),
    ],
  }
}
