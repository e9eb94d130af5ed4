import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from './announce.ts'

/**
 * The least that Node can do for the same requests: a Map in place of a database, a body that is
 * read to its end and not understood. What the service costs shows in the distance to it.
 */
const links = new Map<string, string>()

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const backHalf = links.size.toString(36)
      links.set(backHalf, Buffer.concat(chunks).toString('latin1', 0, 200))
      const shortlink = { name: backHalf, shortlink_url: `http://localhost/${backHalf}` }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: { status: 'success', message: 'Made.', shortlink } }))
    })
    return
  }
  const location = links.get(request.url?.slice(1) ?? '')
  response.writeHead(location === undefined ? 404 : 302, { location: 'https://example.com/' })
  response.end()
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  announce({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'none' })
})
