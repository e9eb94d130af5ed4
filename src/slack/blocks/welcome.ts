import { ACTIONS, COMMAND } from '../ids.ts'
import { button, context, section, type MessageContent } from '../block-kit/elements.ts'

/**
 * What the app says to whoever installed it: the next step.
 *
 * @param connected whether the workspace has a link service already
 */
export function welcome(connected: boolean): MessageContent {
  const next = connected
    ? 'Make your first short link now, or type it in any conversation:'
    : 'Before the first link, connect this workspace to your link service. An admin does that once, in any conversation:'
  const command = connected ? `${COMMAND} https://example.com` : `${COMMAND} connect`
  return {
    text: `Thank you for installing Backhalf. Next: type ${command}`,
    blocks: [
      section(`*Thank you for installing Backhalf.* ${next} \`${command}\``),
      ...(connected
        ? [
            {
              type: 'actions' as const,
              elements: [button('Shorten a link', ACTIONS.openForm, { style: 'primary' })],
            },
          ]
        : []),
      context(`\`${COMMAND} help\` shows what else there is. Nobody else sees this message.`),
    ],
  }
}
