import type { FastifyBaseLogger } from 'fastify'
import { readFile, stat } from 'node:fs/promises'
import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { withoutBrackets } from '../../http/public-hostname.ts'
import { normalizeHostname } from './addresses.ts'

const CHECK_EVERY_MS = 2_000

export interface Blocklist {
  blocks(hostname: string): boolean
}

export const EMPTY_BLOCKLIST: Blocklist = { blocks: () => false }

/** Opens the file of sites to which links can't lead: a hostname, address, network or `# comment` in each line. */
export async function openBlocklist(path: string, logger: FastifyBaseLogger) {
  let hosts = parseBlockedHosts('')
  let version = ''

  async function readIfChanged(): Promise<void> {
    // The version is read before the file, so that the next check notices a change in between.
    const current = await fileVersion(path)
    if (current === version) return
    version = current
    hosts = parseBlockedHosts(await readFile(path, 'utf8'))
    logger.info(`the blocklist has ${hosts.size} entries`)
  }

  const refresh = (): Promise<void> =>
    readIfChanged().catch((err: unknown) =>
      logger.error({ err }, 'the changed blocklist can’t be read; the earlier one stays in effect'),
    )

  await readIfChanged().catch((error: unknown) => {
    throw new Error(`The blocklist (BLOCKLIST_PATH) can’t be read: ${(error as Error).message}`)
  })

  const timer = setInterval(() => void refresh(), CHECK_EVERY_MS).unref()
  return {
    blocks: (hostname: string) => hosts.has(hostname),
    refresh,
    close: () => clearInterval(timer),
  }
}

async function fileVersion(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ ino, mtimeNs, ctimeNs, size }) => [ino, mtimeNs, ctimeNs, size].join(' '),
    () => 'unreadable',
  )
}

export function parseBlockedHosts(text: string) {
  const hostnames = new Set<string>()
  const addresses = new BlockList()
  let size = 0
  for (const [index, line] of text.split('\n').entries()) {
    const entry = line.replace(/#.*/, '').trim()
    if (!entry) continue
    if (!addAddress(addresses, entry)) {
      // URLs have hostnames in this form: “münchen.example” → “xn--mnchen-3ya.example”. The pattern also refuses
      // wildcards, which would match nothing.
      const hostname = normalizeHostname(domainToASCII(entry))
      if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(hostname) || /[/:@]/.test(entry)) {
        throw new Error(`line ${index + 1} is not a hostname, an address or a network`)
      }
      hostnames.add(hostname)
    }
    size++
  }
  return {
    size,
    has(hostname: string): boolean {
      if (size === 0) return false
      const name = normalizeHostname(hostname)
      const address = withoutBrackets(name)
      const isIpv6 = isIP(address) === 6
      // For ::ffff:192.0.2.1, this also checks the IPv4 address in it.
      if (isIP(address) && addresses.check(address, isIpv6 ? 'ipv6' : 'ipv4')) return true
      const ipv4 = isIpv6 && ipv4In(address)
      if (ipv4 && addresses.check(ipv4)) return true
      const labels = name.split('.')
      return labels.some((_, index) => hostnames.has(labels.slice(index).join('.')))
    },
  }
}

/** Adds an address or a network: `192.0.2.1`, `192.0.2.0/24`, `2001:db8::1`. @returns false if the entry is neither */
function addAddress(addresses: BlockList, entry: string): boolean {
  const [host = '', length, ...rest] = entry.split('/')
  // URLs accept other forms as well: `3221225985`, `0xc0.0.2.1` and `0300.0.2.1` are 192.0.2.1.
  const address = host.includes(':') ? withoutBrackets(host) : domainToASCII(host)
  const network = `${address}/${length ?? (isIP(address) === 4 ? 32 : 128)}`
  if (!isIP(address) || rest.length > 0 || !ipaddr.isValidCIDR(network)) return false
  const [parsed, bits] = ipaddr.parseCIDR(network)
  addresses.addSubnet(parsed.toString(), bits, parsed.kind())
  return true
}

// IPv6 networks whose addresses contain the IPv4 address that they lead to, and the byte at which it starts.
const IPV6_WITH_IPV4 = (
  [
    ['2002::/16', 2], // 6to4
    ['64:ff9b::/96', 12], // NAT64
    ['64:ff9b:1::/48', 12],
    ['::/96', 12],
    ['::ffff:0:0:0/96', 12],
  ] as const
).map(([network, start]) => ({ network: ipaddr.IPv6.parseCIDR(network), start }))

function ipv4In(address: string): string | undefined {
  const parsed = ipaddr.IPv6.parse(address)
  const start = IPV6_WITH_IPV4.find(({ network }) => parsed.match(network))?.start
  const bytes = parsed.toByteArray()
  return start === undefined ? undefined : bytes.slice(start, start + 4).join('.')
}
