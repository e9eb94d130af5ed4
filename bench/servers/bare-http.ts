import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from '../target.ts'

/**
 * The minimum that Node can do for the same requests: it reads the whole body but does not parse
 * it, and a Map takes the place of the database. The difference is the cost of the service.
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
      response.end(JSON.stringify({ data: { status: 'success', message: 'Created.', shortlink } }))
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
