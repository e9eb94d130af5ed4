import type { HomeView } from '@slack/types'
import { ACTIONS, COMMAND } from '../ids.ts'
import { button, context, plain, section } from './elements.ts'
import { LIMITS } from './limits.ts'
import { bold } from './mrkdwn.ts'

/**
 * The app's Home tab.
 *
 * @param hostname the default domain's, where it is known
 */
export function home(connected: boolean, hostname?: string): HomeView {
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: plain('Short links, without leaving Slack', LIMITS.headerText) },
      section(
        connected
          ? `New links are made ${hostname ? `on ${bold(hostname)}` : 'at your link service'}.`
          : `This workspace isn’t connected to a link service yet. An admin can do that with \`${COMMAND} connect\`.`,
      ),
      {
        type: 'actions',
        elements: [button('Shorten a link', ACTIONS.openForm, { style: 'primary' })],
      },
      context(
        `Or type \`${COMMAND} https://…\` in any conversation. \`${COMMAND} help\` shows what else there is.`,
      ),
    ],
  }
}
