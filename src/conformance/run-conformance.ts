import { lookup } from 'node:dns/promises'
import { createTransport } from '../client/transport.ts'
import { isPrivateAddress, withoutBrackets } from '../http/public-hostname.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { checkSpecification, type CheckContext } from './check-specification.ts'
import { checkService } from './drivers/check-service.ts'
import { HELP, parseArguments, type Options } from './options.ts'
import { keyPattern, withoutKey } from './shown-text.ts'
import { errorMessage } from '../values/unknown-values.ts'

interface ConformanceIo extends Pick<CheckContext, 'out' | 'err'> {
  apiKey: string | undefined
  confirm?: ((question: string) => Promise<boolean>) | undefined
  clock?: Clock
  deadlineMs?: number
  isPrivate?: (address: string) => boolean
}

export async function runConformance(argv: string[], io: ConformanceIo): Promise<number> {
  const { apiKey, confirm, clock = systemClock, deadlineMs, isPrivate = isPrivateAddress } = io
  // The service’s responses, and even the arguments, might contain the key.
  const key = apiKey ? keyPattern(apiKey) : undefined
  const redact = (text: string): string => (key ? withoutKey(text, key) : text)
  const out = (text: string): unknown => io.out(redact(text))
  const err = (text: string): unknown => io.err(redact(text))
  let options: Options | 'help'
  try {
    options = parseArguments(argv)
  } catch (error) {
    err(`${errorMessage(error)}\nSee --help.\n`)
    return 2
  }
  if (options === 'help') {
    out(HELP)
    return 0
  }
  if (!apiKey || !key) {
    err('Set SHORTLINK_API_KEY, or SHORTLINK_API_KEY_FILE, to an API key of the service.\n')
    return 2
  }
  const { yes, kind, baseUrl } = options
  if (!yes && !confirm) {
    err('There is no terminal to ask for confirmation. Add --yes.\n')
    return 2
  }
  async function isConfirmed(): Promise<boolean> {
    if (yes || (await confirm?.('Check this service now?'))) return true
    err('No links were created.\n')
    return false
  }
  const transport = createTransport()
  // A service on the internet must not make this machine open addresses in its own network.
  const isLocal = await resolvesTo(baseUrl, isPrivate)
  const visits = createTransport({ isForbidden: isLocal ? undefined : isPrivate })
  try {
    const check = kind === 'backhalf' ? checkSpecification : checkService
    const access = { apiKey, key, transport, visits, clock, deadlineMs }
    return await check({ ...options, ...access, out, err, isConfirmed })
  } finally {
    await Promise.all([transport.close(), visits.close()])
  }
}

async function resolvesTo(url: string, isWanted: (address: string) => boolean): Promise<boolean> {
  const host = withoutBrackets(new URL(url).hostname)
  const addresses = await lookup(host, { all: true }).catch(() => [])
  return addresses.some(({ address }) => isWanted(address))
}
