import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CREATE_PATH } from '../../src/contract/endpoints.ts'

/* Sends all attacks with unfinished requests at once: `attackers.ts JSON`. It reports how many were refused or closed. */

/** What the attackers know. */
export interface Attack extends Record<'creator' | 'editor', { cookie: string; token: string }> {
  port: number
  servicePort: number
  host: string
  apiKey: string
}

const { port, servicePort, host, apiKey, creator, editor } = JSON.parse(
  process.argv[2] ?? '',
) as Attack
let refused = 0
setInterval(() => process.send?.(refused), 1_000)

const open = (at: number, head: string, ...body: Buffer[]): void => {
  const socket = connect({ port: at, host }).on('error', () => undefined)
  socket.resume().once('close', () => refused++)
  for (const bytes of [Buffer.from(head), ...body]) if (bytes.length > 0) socket.write(bytes)
}
const head = (path: string, length: number, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'host: x', `content-length: ${length}`, ...headers, '', ''].join('\r\n')
const part = (disposition: string, content: string): Buffer =>
  Buffer.from(`--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`)

const FORM = 'content-type: application/x-www-form-urlencoded'
const MULTIPART = 'content-type: multipart/form-data; boundary=b'
const [large, text] = [Buffer.alloc(990_000), Buffer.alloc(60_000, 'a')]
const image = part('name="f"; filename="f.png"', 'x'.repeat(500_000))
const rows = Array.from(
  { length: 50_000 },
  (_, at) => `https://example.com/${'p'.repeat(150)}/${at}`,
)
const file = Buffer.concat([
  part('name="_csrf"', decodeURIComponent(editor.token)),
  part('name="domain"', 'default'),
  part('name="file"; filename="links.csv"', ['destination_url', ...rows].join('\n')),
  Buffer.from('--b--\r\n'),
])

async function attack(times: number, once: () => void): Promise<void> {
  for (let time = 0; time < times; time++) {
    once()
    if (time % 20 === 19) await sleep(5)
  }
}
await Promise.all([
  attack(450, () => open(port, head('/slack/events', 1_000_000), large)),
  attack(9_500, () => open(servicePort, head('/dashboard/sign-in', 64_000, FORM), text)),
  attack(20, () => {
    const path = `/dashboard/links/new?_csrf=${creator.token}`
    const lines = head(path, 31_000_000, MULTIPART, `cookie: ${creator.cookie}`)
    open(servicePort, lines, ...Array<Buffer>(59).fill(image))
  }),
  attack(30, () => {
    const path = `/dashboard/import?_csrf=${editor.token}`
    open(servicePort, head(path, file.length, MULTIPART, `cookie: ${editor.cookie}`), file)
  }),
  attack(120, () => {
    const lines = head(CREATE_PATH, 4_100_000, MULTIPART, `x-api-key: ${apiKey}`)
    open(servicePort, lines, ...Array<Buffer>(8).fill(image))
  }),
  attack(10_000, () => open(port, '')),
])
