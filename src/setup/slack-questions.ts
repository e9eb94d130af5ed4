import { DEFAULT_COMMAND } from '../config/command.ts'
import { askAddress, askSettings, effectiveValues, type Setup } from './ask.ts'

export interface Connection {
  mode: 'socket' | 'http'
  workspaces: 'one' | 'many'
}

export async function askConnection(setup: Setup): Promise<Connection> {
  const { terminal, saved } = setup
  const earlierMode = !saved.SLACK_APP_TOKEN && saved.SLACK_SIGNING_SECRET ? 'http' : 'socket'
  const mode = await terminal.choose('How should Slack reach Backhalf?', earlierMode, [
    {
      value: 'socket',
      name: 'Socket Mode (recommended)',
      description:
        'Backhalf connects to Slack. This needs no public address, and works on a laptop and behind a firewall.',
    },
    {
      value: 'http',
      name: 'HTTP',
      description:
        'Slack calls Backhalf. You need a public https address that leads to this machine.',
    },
  ])
  const earlierWorkspaces = saved.SLACK_CLIENT_ID ? 'many' : 'one'
  const workspaces = await terminal.choose('Who will use it?', earlierWorkspaces, [
    {
      value: 'one',
      name: 'One Slack workspace',
      description: 'You install the app in your workspace and copy its token here.',
    },
    {
      value: 'many',
      name: 'Several workspaces, or an Enterprise Grid organization',
      description:
        'Each workspace installs the app itself, on a page of Backhalf (OAuth). The page needs a public https address, even with Socket Mode.',
    },
  ])
  if (mode === 'http' || workspaces === 'many') await askPublicUrl(setup, mode)
  return { mode, workspaces }
}

function askPublicUrl(setup: Setup, mode: Connection['mode']): Promise<void> {
  const explain = (hostAndPort: string): string =>
    `${mode === 'http' ? 'Slack calls Backhalf' : 'People install the app'} at a public https address, such as
https://links.example.com. It must lead to ${hostAndPort} on this machine, for
example through a proxy such as Caddy. Until Backhalf runs,
this setup responds there, so that it can check the address.`
  return askAddress(setup, 'PORT', explain, {
    setting: 'PUBLIC_URL',
    message: 'Backhalf’s public address:',
    problem: (text) =>
      URL.parse(text)?.protocol === 'https:'
        ? undefined
        : 'It must start with https://, because Slack and browsers require it.',
  })
}

export async function askCommand(setup: Setup): Promise<void> {
  if (effectiveValues(setup).SLACK_COMMAND !== undefined) return
  const question = `Does another app in your workspace use ${DEFAULT_COMMAND}?`
  const command = await setup.terminal.choose(question, 'default', [
    { value: 'default', name: 'No' },
    {
      value: 'other',
      name: 'Yes',
      description:
        'You choose another command for Backhalf. If two apps have the same one, Slack uses the app that was installed last.',
    },
  ])
  if (command === 'default') return
  const message = 'Backhalf’s command:'
  await askSettings(setup, [{ setting: 'SLACK_COMMAND', message, preset: '/short' }])
}
