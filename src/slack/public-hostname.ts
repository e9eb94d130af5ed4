/** Dots in it, and a last label that begins with a letter, which that of an IPv4 address doesn't. */
const FULL_NAME = /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\.)+[a-z][-a-z0-9]*[a-z0-9]$/

/** Names that mean another machine in every network. */
const LOCAL = /\.(?:localhost|local|internal)$/

/** Whether a hostname, as WHATWG URLs write it, can be one that the whole internet reaches. */
export function isPublicHostname(hostname: string): boolean {
  return FULL_NAME.test(hostname) && !LOCAL.test(hostname)
}
