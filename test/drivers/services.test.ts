import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTransport } from '../../src/client/transport.ts'
import { checkDriver } from '../../src/conformance/drivers/driver-checks.ts'
import { DRIVERS } from '../../src/drivers/drivers.ts'
import { failureOf } from '../../src/port/failures.ts'
import type { LinkService, ServiceKind } from '../../src/port/link-service.ts'
import { startFakeLinkService } from '../support/fake-link-service.ts'
import { startFakeDub } from '../support/fake-dub.ts'
import { startFakeShlink } from '../support/fake-shlink.ts'
import { startService } from '../support/service.ts'

/**
 * Every driver against its service: our own, and real ones that run on this machine, as in `LINK_SERVICES={"kutt":
 * {"baseUrl": "http://127.0.0.1:3940", "apiKey": "…"}}`. Shlink and Dub can't run everywhere, so servers written from
 * their documents and code stand for them.
 */
interface Running {
  baseUrl: string
  apiKey: string
}
const others = JSON.parse(process.env['LINK_SERVICES'] ?? '{}') as Record<string, Running>
const STARTS: { [Kind in ServiceKind]?: () => Promise<Running & { close: () => Promise<void> }> } =
  {
    backhalf: () => startService(),
    shlink: startFakeShlink,
    dub: startFakeDub,
  }
const kinds = new Set([...Object.keys(STARTS), ...Object.keys(others)]) as Set<ServiceKind>

const transport = createTransport()
afterAll(() => transport.close())

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

describe.each([...kinds])('%s', (kind) => {
  let running: Running
  let clientOf: (access: Partial<Running>) => LinkService
  const run = `r${Date.now().toString(36)}`

  beforeAll(async () => {
    const create = await DRIVERS[kind].load()
    const started = others[kind] ?? (await STARTS[kind]?.())
    if (!started) throw new Error(`no ${kind} runs`)
    running = started
    clientOf = (access) => create({ transport, ...running, ...access })
  })
  afterAll(async () => {
    if ('close' in running) await (running as { close: () => Promise<void> }).close()
  })

  test('does what its driver declares', async () => {
    const findings = await checkDriver({
      service: clientOf({}),
      withWrongKey: clientOf({ apiKey: 'wrong' }),
      runId: run,
      pause: () => delay(100),
      async visit(shortUrl) {
        const options = { redirect: 'manual' as const, headers: { 'user-agent': BROWSER } }
        const { headers } = await fetch(shortUrl, options)
        return headers.get('location') ?? undefined
      },
    })
    expect(findings.filter(({ status }) => status === 'wrong')).toEqual([])
    expect(findings.length).toBeGreaterThan(10)
  })

  /** Passes everything on, but loses the request of the first create, or its response. */
  async function losing(lost: 'request' | 'response'): Promise<LinkService> {
    let creates = 0
    const proxy = await startFakeLinkService(async ({ method, url, headers, body }) => {
      const isCreate = method === 'POST' && !body.includes('action=stats')
      const isLost = isCreate && creates++ === 0
      if (isLost && lost === 'request') return 'destroy'
      const answer = await fetch(running.baseUrl + url, {
        method,
        headers: Object.fromEntries(
          Object.entries(headers).filter(([name]) =>
            /^(x-|content-type|idem|authorization)/.test(name),
          ),
        ) as Record<string, string>,
        ...(method !== 'GET' && { body }),
      })
      const text = await answer.text()
      return isLost ? 'destroy' : { status: answer.status, body: text }
    })
    onTestFinished(() => proxy.close())
    return clientOf({ baseUrl: proxy.baseUrl })
  }

  test.each(['request', 'response'] as const)(
    'creates one link if the %s of a create is lost, or says that it is uncertain',
    async (lost) => {
      const service = await losing(lost)
      const destination_url = `https://example.com/${run}/${lost}`
      const domain = (await service.listDomains?.())?.domains.at(-1)?.name ?? ''
      const created = await service
        .create({ destination_url, domain }, { idempotencyKey: `${run}-${lost}` })
        .catch((error: unknown) => {
          const uncertain = failureOf(error, 'uncertain')
          if (!uncertain) throw error
          return uncertain.link
        })
      expect(created.destination_url).toBe(destination_url)
      const { links } = await clientOf({}).list({ per_page: 50 })
      expect(links.filter((link) => link.destination_url === destination_url)).toHaveLength(1)
    },
  )
})
