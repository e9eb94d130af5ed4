import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'

/** What the DNS server knows about a name. A name that is absent does not exist. */
export interface DnsName {
  A?: string[]
  AAAA?: string[]
  CNAME?: string
  /** Present if a zone starts here. */
  NS?: string
  /** The server fails, or never answers. */
  fault?: 'SERVFAIL' | 'silent'
}

const TYPES = { A: 1, CNAME: 5, NS: 2, AAAA: 28 } as const

/**
 * Runs a DNS server on a loopback address, which this process asks from now on instead of the machine's own.
 *
 * @param zone its names; they can be changed while it runs
 */
export async function startDnsServer(zone: Record<string, DnsName>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const answer = respond(zone, query)
    if (answer) socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const address = `127.0.0.1:${socket.address().port}`
  const resolve = Reflect.get(Resolver.prototype, 'resolve')
  Resolver.prototype.resolve = function (this: Resolver, ...query: unknown[]) {
    // The servers can't be changed while a query is in flight.
    if (this.getServers()[0] !== address) this.setServers([address])
    return Reflect.apply(resolve, this, query) as never
  }
  return {
    async close(): Promise<void> {
      Resolver.prototype.resolve = resolve
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Answers as a recursive resolver does: with the CNAME records on the way to the records that were asked for. */
function respond(zone: Record<string, DnsName>, query: Buffer): Buffer | undefined {
  const { name, end } = readName(query)
  const type = query.readUInt16BE(end)
  const answers: Buffer[] = []
  let at = zone[name]
  if (at?.fault === 'silent') return undefined
  for (let owner = name; at?.CNAME !== undefined; at = zone[owner]) {
    answers.push(record(owner, TYPES.CNAME, writeName(at.CNAME)))
    owner = at.CNAME
    if (type === TYPES.CNAME) break
  }
  if (type === TYPES.A) for (const one of at?.A ?? []) answers.push(record(name, type, ipv4(one)))
  if (type === TYPES.AAAA) {
    for (const one of at?.AAAA ?? []) answers.push(record(name, type, ipv6(one)))
  }
  if (type === TYPES.NS && at?.NS !== undefined) answers.push(record(name, type, writeName(at.NS)))
  const code = at?.fault === 'SERVFAIL' ? 2 : at ? 0 : 3
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  return Buffer.concat([header, query.subarray(12, end + 4), ...answers])
}

/** The name in a query. `end` is the position after it. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function writeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function record(owner: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(owner), head, data])
}

function ipv4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

/** The 16 bytes of an address, in which `::` appears at most once. */
function ipv6(address: string): Buffer {
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const [first = '', last] = address.split('::')
  const [head, tail] = [groups(first), groups(last ?? '')]
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
