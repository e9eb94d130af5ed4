import type { Config } from '../../src/config/config.ts'
import type { FetchImage } from '../../src/simulator/workspace/images.ts'
import { freePort } from './free-port.ts'

/**
 * An app and its link service at public addresses, from which the simulated Slack loads pictures. `fetched` has the
 * addresses that it asked for, and `breaks` makes one of the hosts answer otherwise.
 */
export async function publicHosts() {
  const [port, servicePort] = [await freePort(), await freePort()]
  const ports = new Map([
    ['app.example.com', port],
    ['go.example.com', servicePort],
  ])
  const broken = new Map<string, () => Promise<Response>>()
  const fetched: string[] = []
  const fetchImage: FetchImage = async ({ href, hostname, pathname, search }, options) => {
    fetched.push(href)
    const answer = broken.get(hostname)
    if (answer) return answer()
    const local = `http://127.0.0.1:${ports.get(hostname) ?? 1}${pathname}${search}`
    return fetch(local, { ...options, headers: { 'x-forwarded-host': hostname } })
  }
  const config: Partial<Config> = {
    port,
    servicePort,
    servicePublicUrl: 'https://go.example.com',
    trustProxy: '127.0.0.1',
  }
  return {
    config,
    slack: { fetchImage },
    fetched,
    breaks: (hostname: string, answer: () => Promise<Response>): void =>
      void broken.set(hostname, answer),
    mends: (): void => broken.clear(),
  }
}
