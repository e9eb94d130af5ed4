import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

/** Systems choose the ports of outgoing connections above these, so none takes a port that was found. */
const [LOWEST, HIGHEST] = [10_000, 32_000]

/** Finds a free loopback port, for tests that must know the port before the server starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(Boolean, () => false)
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

/** Lets a server listen on a loopback port, by default a free one. @returns its origin */
export async function listenOnLoopback(server: Server, port = 0): Promise<string> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
