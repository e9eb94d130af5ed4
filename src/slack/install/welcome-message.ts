import { actions, button, context, section, type MessageContent } from '../block-kit/elements.ts'
import { ACTIONS, COMMAND } from '../ids.ts'

/**
 * Tells the user who installed the app what to do next.
 *
 * @param connected whether the workspace already has a link service
 */
export function welcomeMessage(connected: boolean): MessageContent {
  const command = connected ? `${COMMAND} https://example.com` : `${COMMAND} connect`
  const next = connected
    ? 'Make your first short link now, or type this in any conversation:'
    : 'Before the first link, an admin connects this workspace to your link service. To do that, type this in any conversation:'
  return {
    text: `Thank you for installing Backhalf. Next: type ${command}`,
    blocks: [
      section(`*Thank you for installing Backhalf.* ${next} \`${command}\``),
      ...(connected
        ? actions([button('Shorten a link', ACTIONS.openForm, { style: 'primary' })])
        : []),
      context(`\`${COMMAND} help\` shows what else you can do. Only you see this message.`),
    ],
  }
}
