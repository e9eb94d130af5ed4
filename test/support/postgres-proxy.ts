import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listenOnLoopback } from './free-port.ts'

/**
 * Starts a proxy in front of PostgreSQL, which is closed when the test ends.
 *
 * @param target the URL of a server, or of a database there
 */
export async function startPostgresProxy(target: string) {
  const { hostname, port, username, pathname } = new URL(target)
  const sockets = new Set<Socket>()
  let isOpen = true
  let cutAfter: string | undefined
  const proxy = createServer((client) => {
    if (!isOpen) return void client.destroy()
    const upstream = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    upstream.pipe(client)
    client.on('data', (data) => {
      const isLast = cutAfter !== undefined && data.includes(cutAfter)
      if (isLast) {
        cutAfter = undefined
        upstream.unpipe(client)
      }
      upstream.write(data, () => {
        // The server's answer shows that the statement has run. The client never gets it.
        if (isLast) upstream.once('data', () => client.destroy()).resume()
      })
    })
  })
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const { host } = new URL(await listenOnLoopback(proxy))
  onTestFinished(() => {
    cutAll()
    proxy.close()
  })
  return {
    url: `postgres://${username}@${host}${pathname}`,
    /** Cuts a connection once a statement with this text has passed. */
    cutAfter: (statement: string) => void (cutAfter = statement),
    /** Cuts all connections, and refuses others. */
    shut() {
      isOpen = false
      cutAll()
    },
    open: () => void (isOpen = true),
    /** Passes nothing on through the present connections, without closing them. */
    silence() {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}
