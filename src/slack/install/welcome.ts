import { WebClient, type WebClientOptions } from '@slack/web-api'
import { installationId, type NewInstallation } from '../../workspaces/installations.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { actions, button, context, section } from '../block-kit/elements.ts'
import type { MessageContent } from '../block-kit/messages.ts'
import { mention } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'

export interface WelcomeOptions {
  clientOptions: Omit<WebClientOptions, 'logger' | 'logLevel'>
  workspaces: Pick<Workspaces, 'connection'>
}

export async function welcome(
  { clientOptions, workspaces }: WelcomeOptions,
  installation: NewInstallation,
  isNew: boolean,
): Promise<void> {
  const { bot, enterprise, team, user } = installation
  const workspace = { id: installationId(installation), name: team?.name ?? enterprise?.name }
  const connected = await workspaces.connection(workspace).then(
    (connection) => connection !== undefined,
    () => true, // The user sees the error when they create a link.
  )
  const client = new WebClient(bot.token, clientOptions)
  const message = welcomeMessage(user.id, connected, isNew)
  await client.chat.postMessage({ channel: user.id, ...message })
}

function welcomeMessage(userId: string, connected: boolean, isNew: boolean): MessageContent {
  const thanks = `Thank you for installing Backhalf${isNew ? '' : ' again'}, ${mention(userId)}.`
  const command = connected ? `${COMMAND} https://example.com` : `${COMMAND} connect`
  const next = connected
    ? `${isNew ? 'Create your first short link now' : 'Its settings are as they were. Shorten a link'}, or type this in any conversation:`
    : 'Before the first link, an admin connects this workspace to your link service. To do that, type this in any conversation:'
  const shorten = button('Shorten a link', ACTIONS.openForm, { style: 'primary' })
  return {
    text: `${thanks} Next: type ${command}`,
    blocks: [
      section(`*${thanks}* ${next} \`${command}\``),
      ...actions([connected && shorten]),
      context(`\`${COMMAND} help\` shows what else you can do. Only you see this message.`),
    ],
  }
}
