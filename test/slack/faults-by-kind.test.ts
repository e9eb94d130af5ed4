import { expect } from 'vitest'
import { createDrivenClock } from '../support/driven-clock.ts'
import { createFakeDub } from '../support/fake-dub.ts'
import type { Answer, Fault } from '../support/fake-link-service.ts'
import { createFakeShlink } from '../support/fake-shlink.ts'
import { withAppElsewhere } from '../support/fixtures.ts'
import { texts } from '../support/texts.ts'

/**
 * Faults of services of other kinds, as faults.slow.test.ts has them for those that follow the specification: one kind for each way to
 * treat a destination that has a link. The answer comes in time and is true, and no fault creates a second link.
 */

const ANSWERED_WITHIN_MS = 15_000

const FAULTS: Record<string, Answer | Fault> = {
  hangs: 'hang',
  'breaks the connection': 'destroy',
  'returns 500': { status: 500, body: {} },
  'returns 503': { status: 503, body: {} },
  'answers with HTML': { status: 200, body: '<html></html>' },
  'answers with other JSON': { status: 200, body: { links: null } },
}

for (const [kind, fake] of [
  ['shlink', createFakeShlink()], // A link of a used destination can be found.
  ['dub', createFakeDub()], // A destination can have several links.
] as const) {
  const clock = createDrivenClock()
  const { test, ana, service } = withAppElsewhere({
    kind,
    clock,
    answers: fake.respond,
    config: { fallback: { apiKey: fake.apiKey, domain: 'go.example.com' } },
  })
  test.beforeAll(({ app }) => fake.isAt(app.service.baseUrl))
  let count = 0

  /** @returns the first answer, which comes in time */
  async function shorten(): Promise<string> {
    const before = ana.sees('general').length
    const start = clock.now()
    const command = `/shorten https://example.com/${kind}/${++count} qr=off`
    const typed = ana.types(command, { in: 'general' })
    const mayTimeOut = () => service.hanging() > 0
    const answer = await clock.until(() => ana.sees('general')[before], { mayTimeOut })
    expect(clock.now() - start).toBeLessThanOrEqual(ANSWERED_WITHIN_MS)
    await typed
    return texts(answer)
  }

  const isCreate = (method: string): boolean => method === 'POST'

  test.each(Object.entries(FAULTS))(
    `${kind}: explains in time that a create %s, and creates no link`,
    async (_what, fault) => {
      const before = fake.count()
      service.answers((request) => (isCreate(request.method) ? fault : fake.respond(request)))
      expect(await shorten()).toContain('ink service')
      expect(fake.count()).toBe(before)
    },
  )

  test.each(Object.entries(FAULTS))(
    `${kind}: creates one link if a create succeeds and then %s, and finds it or says that it is uncertain`,
    async (_what, fault) => {
      const before = fake.count()
      let isLost = true
      service.answers((request) => {
        const answer = fake.respond(request)
        if (!isCreate(request.method) || !isLost) return answer
        isLost = false
        return fault
      })
      expect(await shorten()).toMatch(
        new RegExp(`${service.baseUrl}|might have been created anyway: look at /shorten list`),
      )
      expect(fake.count()).toBe(before + 1)
    },
  )
}
