import { isLoopbackHostname } from '../http/public-hostname.ts'
import { checkPublicAddress } from '../doctor/address-checks.ts'
import { errorCode, failed, ok, warning, type Finding } from '../doctor/check.ts'
import { askUntilAccepted } from './checked-answer.ts'
import type { Settings } from './env-file.ts'
import { invalid, portOf, type Asking } from './questions.ts'

/** Asks which link service makes the short links, and where they work. */
export async function askLinks(asking: Asking): Promise<Settings> {
  const { terminal, earlier } = asking
  const service = await terminal.choose(
    'Which link service should make the short links?',
    [
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
          'A service with the interface in docs/link-service.md. You need one of its API keys.',
      },
    ],
    earlier.SHORTLINK_BASE_URL ? 'other' : 'own',
  )
  return service === 'own' ? askOwnAddress(asking) : askOtherService(asking)
}

async function askOwnAddress({ terminal, earlier, signal, answerAt }: Asking): Promise<Settings> {
  const settings: Settings = { SHORTLINK_BASE_URL: undefined }
  // Settings of another service don't fit this one.
  if (earlier.SHORTLINK_BASE_URL) {
    settings.SHORTLINK_API_KEY = settings.SHORTLINK_DOMAIN = settings.UNFURL_DOMAINS = undefined
  }
  const port = portOf(earlier.SERVICE_PORT, 3001)
  const place = await terminal.choose(
    'Where should the short links work?',
    [
      {
        value: 'here',
        name: 'Only on this machine, to try it out for now',
        description: `They look like http://localhost:${port}/spring. No one else can open them, and Slack shows no cards and no preview images for them. To change this later, run this setup again.`,
      },
      {
        value: 'everywhere',
        name: 'Everywhere',
        description:
          'They look like https://go.example.com/spring. You need a hostname that leads to this machine.',
      },
    ],
    isPublic(earlier.SERVICE_PUBLIC_URL) ? 'everywhere' : 'here',
  )
  if (place === 'here') {
    return isPublic(earlier.SERVICE_PUBLIC_URL)
      ? { ...settings, SERVICE_PUBLIC_URL: undefined }
      : settings
  }
  const localAddress = await answerAt(port)
  terminal.say(
    `The short links start with a public address, such as https://go.example.com. It
must lead to ${localAddress} on this machine, for example through a proxy such
as Caddy. Choose it well: if you give it up later, the links that people have
shared stop working.`,
  )
  const url = await askUntilAccepted(terminal, {
    what: 'the address',
    mayWork: 'later',
    ask: () =>
      terminal.ask('The short links’ address:', {
        preset: isPublic(earlier.SERVICE_PUBLIC_URL) ? earlier.SERVICE_PUBLIC_URL : undefined,
        validate: (text) =>
          invalid('SERVICE_PUBLIC_URL', text) ??
          (isPublic(text) ? undefined : 'This address works only on this machine.'),
      }),
    check: async (address) => {
      const options = { name: 'The address', localAddress, isRunning: true, signal }
      return (await checkPublicAddress(address, options)).findings
    },
  })
  return { ...settings, SERVICE_PUBLIC_URL: url }
}

function isPublic(url: string | undefined): boolean {
  const hostname = URL.parse(url ?? '')?.hostname
  return hostname !== undefined && !isLoopbackHostname(hostname)
}

async function askOtherService({ terminal, earlier, signal }: Asking): Promise<Settings> {
  terminal.say('Enter the service’s address, to which the API’s paths (/api/v1/…) are appended.')
  const url = await askUntilAccepted(terminal, {
    what: 'the service',
    mayWork: 'later',
    ask: () =>
      terminal.ask('The service’s address:', {
        preset: earlier.SHORTLINK_BASE_URL,
        validate: (text) => invalid('SHORTLINK_BASE_URL', text),
      }),
    check: async (baseUrl) => [await checkService(baseUrl, signal)],
  })
  terminal.say(
    `Slack can show a card below each short link that is posted. For this, it must
know the hostnames of the short links.`,
  )
  const domains = await terminal.ask(
    'The short links’ hostnames, separated by commas (empty: no cards):',
    {
      preset: earlier.UNFURL_DOMAINS,
      validate: (text) => (text === '' ? undefined : invalid('UNFURL_DOMAINS', text)),
    },
  )
  return { SHORTLINK_BASE_URL: url, UNFURL_DOMAINS: domains === '' ? undefined : domains }
}

const SERVICE_MS = 8_000

/** Lists links without a key, which every service refuses (specification, section 5). */
async function checkService(baseUrl: string, signal: AbortSignal): Promise<Finding> {
  const name = 'The service'
  const url = `${baseUrl.replace(/\/+$/, '')}/api/v1/shortlinks/get_shortlinks`
  const look = 'Compare the address with the service’s documentation.'
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(SERVICE_MS)]),
    })
    await response.body?.cancel()
    const { status } = response
    if (status === 401 || status === 403) {
      return ok(name, 'It answers, and asks for an API key. You enter the key in Slack.')
    }
    if (status >= 500) return warning(name, `It answers with status ${status}.`, look)
    return failed(
      name,
      `What answers there is not a link service, which would refuse a request without a key (status ${status} instead of 401).`,
      look,
    )
  } catch (error) {
    return warning(name, `Not checked. Nothing answers (${errorCode(error)}).`, look)
  }
}
