import { DEFAULT_COMMAND } from '../config/command.ts'
import { effectiveValues, type Step } from './ask.ts'
import { checkAddress, shownAddress } from './public-address.ts'

export const CONNECTION: readonly Step[] = [
  {
    choose: 'mode',
    message: 'How should Slack reach Backhalf?',
    choices: [
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
    preset: ({ SLACK_APP_TOKEN: token, SLACK_SIGNING_SECRET: secret }) =>
      !token && secret ? 'http' : 'socket',
  },
  {
    choose: 'workspaces',
    message: 'Who will use it?',
    choices: [
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
    preset: ({ SLACK_CLIENT_ID: id }) => (id ? 'many' : 'one'),
  },
  {
    when: ({ chosen }) => chosen.mode === 'http' || chosen.workspaces === 'many',
    respondsAt: 'PORT',
    say: (progress) =>
      `${progress.chosen.mode === 'http' ? 'Slack calls Backhalf' : 'People install the app'} at a public https address, such as
https://links.example.com. It must lead to ${shownAddress(progress, 'PORT')} on this machine, for
example through a proxy such as Caddy. Until Backhalf runs,
this setup responds there, so that it can check the address.`,
    questions: [
      {
        setting: 'PUBLIC_URL',
        message: 'Backhalf’s public address:',
        problem: (text) =>
          URL.parse(text)?.protocol === 'https:'
            ? undefined
            : 'It must start with https://, because Slack and browsers require it.',
      },
    ],
    what: 'the address',
    canBeKept: true,
    check: ({ PUBLIC_URL: url = '' }, progress) => checkAddress(url, progress, 'PORT'),
  },
]

export const SLASH_COMMAND: readonly Step[] = [
  {
    when: (progress) => effectiveValues(progress).SLACK_COMMAND === undefined,
    choose: 'command',
    message: `Does another app in your workspace use ${DEFAULT_COMMAND}?`,
    choices: [
      { value: 'default', name: 'No' },
      {
        value: 'other',
        name: 'Yes',
        description:
          'You choose another command for Backhalf. If two apps have the same one, Slack uses the app that was installed last.',
      },
    ],
    preset: () => 'default',
  },
  {
    when: ({ chosen }) => chosen.command === 'other',
    questions: [
      { setting: 'SLACK_COMMAND', message: 'Backhalf’s command:', preset: () => '/short' },
    ],
  },
]
