import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import { isLoopbackHostname, isPublicHostname } from '../http/public-hostname.ts'
import { isPrivate } from './private-address.ts'

/**
 * Warns if Slack's users can't open the short URLs of our own link service, because they start with an
 * address that only this machine or its network can reach. In the playground, that is as it should be.
 */
export function localServiceUrlWarning({
  slack,
  linkService,
  servicePublicUrl,
  servicePort,
}: Pick<Config, 'slack' | 'linkService' | 'servicePublicUrl' | 'servicePort'>): string | undefined {
  if (slack.mode === 'playground' || linkService.kind === 'external') return undefined
  const place = reachableFrom(new URL(servicePublicUrl).hostname)
  if (place === undefined) return undefined
  return `Short links open only ${place}, and Slack can’t show their cards and preview images, because SERVICE_PUBLIC_URL is ${servicePublicUrl}. Set it to a public https address that leads to port ${servicePort}. npm run setup helps with that.`
}

/** @returns undefined if the whole internet may reach it */
function reachableFrom(hostname: string): string | undefined {
  if (isLoopbackHostname(hostname)) return 'on this machine'
  const address = hostname.replace(/^\[|\]$/g, '')
  const isLocal = isIP(address) === 0 ? !isPublicHostname(hostname) : isPrivate(address)
  return isLocal ? 'in its own network' : undefined
}
