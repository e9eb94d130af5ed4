import { checkPublicAddress } from '../doctor/address-checks.ts'
import { askUntilAccepted } from './checked-answer.ts'
import type { Settings } from './env-file.ts'
import { invalid, portOf, type Asking } from './questions.ts'

/** How Slack and the app reach each other, and how many workspaces use the app. */
export interface Connection {
  mode: 'socket' | 'http'
  workspaces: 'one' | 'many'
}

export async function askConnection({ terminal, earlier }: Asking): Promise<Connection> {
  const usedHttp = !earlier.SLACK_APP_TOKEN && earlier.SLACK_SIGNING_SECRET
  const mode = await terminal.choose(
    'How should Slack reach Backhalf?',
    [
      {
        value: 'socket',
        name: 'Socket Mode (recommended)',
        short: 'Socket Mode',
        description:
          'Backhalf connects to Slack. This needs no public address, and works on a laptop and behind a firewall.',
      },
      {
        value: 'http',
        name: 'HTTP',
        description:
          'Slack calls Backhalf. You need a public https address that leads to this machine.',
      },
    ],
    usedHttp ? 'http' : 'socket',
  )
  const workspaces = await terminal.choose(
    'Who will use it?',
    [
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
    ],
    earlier.SLACK_CLIENT_ID ? 'many' : 'one',
  )
  return { mode, workspaces }
}

/** Asks for the app's public address if it needs one. */
export async function askPublicUrl(
  { terminal, earlier, signal, answerAt }: Asking,
  { mode, workspaces }: Connection,
): Promise<Settings> {
  if (mode === 'socket' && workspaces === 'one') return {}
  const localAddress = await answerAt(portOf(earlier.PORT, 3000))
  const who = mode === 'http' ? 'Slack calls Backhalf' : 'People install the app'
  terminal.say(
    `${who} at a public https address, such as
https://links.example.com. It must lead to ${localAddress} on this machine, for
example through a proxy such as Caddy. Until Backhalf runs,
this setup answers there, so that it can check the address.`,
  )
  const url = await askUntilAccepted(terminal, {
    what: 'the address',
    mayWork: 'later',
    ask: () =>
      terminal.ask('Backhalf’s public address:', {
        preset: earlier.PUBLIC_URL,
        validate: (text) =>
          text === '' || URL.parse(text)?.protocol === 'https:'
            ? invalid('PUBLIC_URL', text)
            : 'It must start with https://, because Slack and browsers require it.',
      }),
    check: async (address) => {
      const options = { name: 'The address', localAddress, isRunning: true, signal }
      return (await checkPublicAddress(address, options)).findings
    },
  })
  return { PUBLIC_URL: url }
}
