import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from '../target.ts'

/** The minimum that Node can do for a redirect: a Map takes the place of the database. */
const locations = new Map<string, string>()
for (let number = 1; number <= 1_000; number++) {
  locations.set(`/b${number}`, `https://example.com/some/long/page/${number}?with=a&query=too`)
}

const server = createServer((request, response) => {
  const location = locations.get(request.url ?? '')
  response.writeHead(location === undefined ? 404 : 302, { location }).end()
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  announce({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'none' })
})
