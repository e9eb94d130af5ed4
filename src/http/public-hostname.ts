import { BlockList, isIPv6 } from 'node:net'

const MAX_LENGTH = 253

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** At least one dot, and a last label that starts with a letter, unlike that of an IPv4 address. */
const FULL_NAME = new RegExp(`^(?:${LABEL}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

const LOCAL = /\.(?:localhost|local|internal)$/

/**
 * Whether a text, as WHATWG URLs write hostnames (lower case, other scripts as `xn--…`), is a full hostname:
 * not an address, and not a single word such as `localhost`. It might belong to a private network.
 */
export function isFullHostname(text: string): boolean {
  return text.length <= MAX_LENGTH && FULL_NAME.test(text)
}

export function isLoopbackHostname(text: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(text)
}

export function isPublicHostname(text: string): boolean {
  return isFullHostname(text) && !LOCAL.test(text)
}

/**
 * Networks that the internet can't reach. They include IPv4 addresses that are written as IPv6 (`::ffff:…`).
 */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  PRIVATE.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4')
}

export function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
