import { checkServiceAddress } from '../doctor/service-checks.ts'
import { DRIVERS } from '../drivers/drivers.ts'
import { SERVICE_KINDS } from '../port/link-service.ts'
import { localAddress, type Step } from './ask.ts'
import { checkAddress, isPublic, shownAddress } from './public-address.ts'

export const LINKS: readonly Step[] = [
  {
    choose: 'service',
    message: 'Which link service should create the short links?',
    choices: [
      {
        value: 'own',
        name: 'The one that comes with Backhalf (recommended)',
        short: 'The one that comes with Backhalf',
        description: 'It runs together with the app and needs no account anywhere.',
      },
      {
        value: 'other',
        name: 'Another one',
        description:
          'Kutt, Shlink, Dub, YOURLS, or one with Backhalf’s interface. You need one of its API keys.',
      },
    ],
    preset: ({ SHORTLINK_BASE_URL: url }) => (url ? 'other' : 'own'),
    implies({ chosen, earlier }) {
      if (chosen.service !== 'own' || !earlier.SHORTLINK_BASE_URL) return {}
      // The key and the domains of another service don't work with our own.
      return {
        LINK_SERVICE_KIND: undefined,
        SHORTLINK_BASE_URL: undefined,
        SHORTLINK_API_KEY: undefined,
        SHORTLINK_DOMAIN: undefined,
        UNFURL_DOMAINS: undefined,
      }
    },
  },
  {
    when: ({ chosen }) => chosen.service === 'own',
    choose: 'place',
    message: 'Where should the short links work?',
    choices: (progress) => [
      {
        value: 'here',
        name: 'Only on this machine, to try it out for now',
        description: `They look like http://localhost:${localAddress(progress, 'SERVICE_PORT').port}/spring. No one else can open them, and Slack shows no cards and no preview images for them. To change this later, run this setup again.`,
      },
      {
        value: 'everywhere',
        name: 'Everywhere',
        description:
          'They look like https://go.example.com/spring. You need a hostname that leads to this machine.',
      },
    ],
    preset: ({ SERVICE_PUBLIC_URL: url }) => (isPublic(url) ? 'everywhere' : 'here'),
    implies: ({ chosen, earlier }) =>
      chosen.place === 'here' && isPublic(earlier.SERVICE_PUBLIC_URL)
        ? { SERVICE_PUBLIC_URL: undefined }
        : {},
  },
  {
    when: ({ chosen }) => chosen.place === 'everywhere',
    respondsAt: 'SERVICE_PORT',
    say: (progress) =>
      `The short links start with a public address, such as https://go.example.com. It
must lead to ${shownAddress(progress, 'SERVICE_PORT')} on this machine, for example through a proxy such
as Caddy. Choose it well: if you give it up later, the links that people have
shared stop working.`,
    questions: [
      {
        setting: 'SERVICE_PUBLIC_URL',
        message: 'The short links’ address:',
        preset: ({ SERVICE_PUBLIC_URL: url }) => (isPublic(url) ? url : undefined),
        problem: (text) =>
          isPublic(text) ? undefined : 'This address works only on this machine.',
      },
    ],
    what: 'the address',
    canBeKept: true,
    check: ({ SERVICE_PUBLIC_URL: url = '' }, progress) =>
      checkAddress(url, progress, 'SERVICE_PORT'),
  },
  {
    when: ({ chosen }) => chosen.service === 'other',
    choose: 'kind',
    message: 'Which one?',
    choices: SERVICE_KINDS.map((value) => ({
      value,
      name: value === 'backhalf' ? 'Backhalf’s interface' : DRIVERS[value].label,
      description:
        value === 'backhalf'
          ? 'The service follows docs/link-service.md.'
          : 'docs/link-services.md says what Backhalf can do with it.',
    })),
    preset: ({ LINK_SERVICE_KIND: kind }) =>
      SERVICE_KINDS.find((one) => one === kind) ?? 'backhalf',
    implies: ({ chosen: { kind } }) => ({
      LINK_SERVICE_KIND: kind === 'backhalf' ? undefined : kind,
    }),
  },
  {
    when: ({ chosen }) => chosen.service === 'other',
    say: ({ chosen }) =>
      chosen.kind === 'backhalf'
        ? 'Enter the service’s address, to which the API’s paths (/api/v1/…) are appended.'
        : `Enter the root of its site${chosen.kind === 'dub' ? ': https://api.dub.co' : ', such as https://go.example.com'}.`,
    questions: [{ setting: 'SHORTLINK_BASE_URL', message: 'The service’s address:' }],
    what: 'the service',
    canBeKept: true,
    check: ({ SHORTLINK_BASE_URL: url = '' }, { signal, chosen }) =>
      checkServiceAddress(chosen.kind ?? 'backhalf', url, signal),
  },
  {
    when: ({ chosen }) => chosen.service === 'other',
    say: `You enter the service’s API key later, in Slack.

Slack can show a card below each short link that is posted. For this, it must
know the hostnames of the short links.`,
    questions: [
      {
        setting: 'UNFURL_DOMAINS',
        message: 'The short links’ hostnames, separated by commas (empty: no cards):',
        canBeEmpty: true,
      },
    ],
  },
]
