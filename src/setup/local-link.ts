import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A short address on this machine that leads to a long one. */
export interface LocalLink {
  url: string
  close(): Promise<void>
}

/** A link of several thousand characters is hard to copy from a terminal. */
export async function openLocalLink(target: string): Promise<LocalLink> {
  const server = createServer((_request, response) => {
    response.writeHead(302, { location: target, connection: 'close' }).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
