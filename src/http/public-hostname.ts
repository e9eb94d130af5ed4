import ipaddr from 'ipaddr.js'

const MAX_LENGTH = 253

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

// Matches hostnames with a dot. The last label starts with a letter, so IPv4 addresses don't match.
const FULL_NAME = new RegExp(`^(?:${LABEL}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

const LOCAL = /\.(?:localhost|local|internal)$/

/** True for `go.example.com` and, in a private network, `go.internal`. False for addresses and single words. */
export function isFullHostname(text: string): boolean {
  return text.length <= MAX_LENGTH && FULL_NAME.test(text)
}

export function isLoopbackHostname(text: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(text)
}

export function isPublicHostname(text: string): boolean {
  return isFullHostname(text) && !LOCAL.test(text)
}

const PRIVATE_RANGES = [
  'unspecified',
  'private',
  'carrierGradeNat',
  'loopback',
  'linkLocal',
  'uniqueLocal',
]

/** @param address can be IPv4, IPv6, or IPv4 written as IPv6 (`::ffff:…`) */
export function isPrivateAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()
  return PRIVATE_RANGES.includes((isMapped ? parsed.toIPv4Address() : parsed).range())
}

export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '') // [::1] → ::1
}
