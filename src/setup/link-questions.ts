import { checkServiceAddress } from '../doctor/service-checks.ts'
import { DRIVERS } from '../drivers/drivers.ts'
import { SERVICE_KINDS } from '../port/link-service.ts'
import { askAddress, askSettings, isPublic, localAddress, type Setup } from './ask.ts'

export async function askLinks(setup: Setup): Promise<void> {
  const { terminal, saved, settings } = setup
  const earlierService = saved.SHORTLINK_BASE_URL ? 'other' : 'own'
  const question = 'Which link service should create the short links?'
  const service = await terminal.choose(question, earlierService, {
    own: {
      name: 'The one that comes with Backhalf (recommended)',
      description: 'It runs together with the app and needs no account anywhere.',
    },
    other: {
      name: 'Another one',
      description:
        'Kutt, Shlink, Dub, YOURLS, or one with Backhalf’s interface. You need one of its API keys.',
    },
  })
  if (service === 'other') return askOtherService(setup)
  if (earlierService === 'other') {
    // The key and the domains of another service don't work with our own.
    Object.assign(settings, {
      LINK_SERVICE_KIND: undefined,
      SHORTLINK_BASE_URL: undefined,
      SHORTLINK_API_KEY: undefined,
      SHORTLINK_DOMAIN: undefined,
      UNFURL_DOMAINS: undefined,
    })
  }
  const url = isPublic(saved.SERVICE_PUBLIC_URL) ? saved.SERVICE_PUBLIC_URL : undefined
  const earlierPlace = url ? 'everywhere' : 'here'
  const place = await terminal.choose('Where should the short links work?', earlierPlace, {
    here: {
      name: 'Only on this machine, to try it out for now',
      description: `They look like http://localhost:${localAddress(setup, 'SERVICE_PORT').port}/spring. No one else can open them, and Slack shows no cards and no preview images for them. To change this later, run this setup again.`,
    },
    everywhere: {
      name: 'Everywhere',
      description:
        'They look like https://go.example.com/spring. You need a hostname that leads to this machine.',
    },
  })
  if (place === 'everywhere') return askServiceUrl(setup, url)
  if (url) settings.SERVICE_PUBLIC_URL = undefined
}

function askServiceUrl(setup: Setup, preset: string | undefined): Promise<void> {
  const explain = (hostAndPort: string): string =>
    `The short links start with a public address, such as https://go.example.com. It
must lead to ${hostAndPort} on this machine, for example through a proxy such
as Caddy. Choose it well: if you give it up later, the links that people have
shared stop working.`
  return askAddress(setup, 'SERVICE_PORT', explain, {
    setting: 'SERVICE_PUBLIC_URL',
    message: 'The short links’ address:',
    preset,
    problem: (text) => (isPublic(text) ? undefined : 'This address works only on this machine.'),
  })
}

async function askOtherService(setup: Setup): Promise<void> {
  const { terminal, saved, settings, signal } = setup
  const preset = SERVICE_KINDS.find((kind) => kind === saved.LINK_SERVICE_KIND) ?? 'backhalf'
  const description = 'docs/link-services.md says what Backhalf can do with it.'
  const kind = await terminal.choose('Which one?', preset, {
    backhalf: {
      name: 'Backhalf’s interface',
      description: 'The service follows docs/link-service.md.',
    },
    kutt: { name: DRIVERS.kutt.label, description },
    shlink: { name: DRIVERS.shlink.label, description },
    dub: { name: DRIVERS.dub.label, description },
    yourls: { name: DRIVERS.yourls.label, description },
  })
  settings.LINK_SERVICE_KIND = kind === 'backhalf' ? undefined : kind
  terminal.say(
    kind === 'backhalf'
      ? 'Enter the service’s address, to which the API’s paths (/api/v1/…) are appended.'
      : `Enter the root of its site${kind === 'dub' ? ': https://api.dub.co' : ', such as https://go.example.com'}.`,
  )
  await askSettings(setup, [{ setting: 'SHORTLINK_BASE_URL', message: 'The service’s address:' }], {
    subject: 'the service',
    canBeKept: true,
    check: ({ SHORTLINK_BASE_URL: url = '' }) => checkServiceAddress(kind, url, signal),
  })
  terminal.say(
    `You enter the service’s API key later, in Slack.

Slack can show a card below each short link that is posted. For this, it must
know the hostnames of the short links.`,
  )
  const message = 'The short links’ hostnames, separated by commas (empty: no cards):'
  await askSettings(setup, [{ setting: 'UNFURL_DOMAINS', message, canBeEmpty: true }])
}
