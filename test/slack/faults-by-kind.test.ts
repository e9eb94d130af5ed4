import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAppElsewhere, type AppElsewhere } from '../support/app-elsewhere.ts'
import { createDrivenClock, type DrivenClock } from '../support/driven-clock.ts'
import { createFakeDub } from '../support/fake-dub.ts'
import type { Answer, Fault } from '../support/fake-link-service.ts'
import { createFakeShlink } from '../support/fake-shlink.ts'
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

describe.each([
  ['shlink', 'findable', createFakeShlink],
  ['dub', 'allowed', createFakeDub],
] as const)('%s, where a used destination is %s', (kind, _policy, create) => {
  const fake = create()
  let clock: DrivenClock
  let app: AppElsewhere
  let count = 0

  beforeAll(async () => {
    clock = createDrivenClock()
    app = await startAppElsewhere({
      kind,
      clock,
      answers: fake.respond,
      config: { fallback: { apiKey: fake.apiKey, domain: 'go.example.com' } },
    })
    fake.isAt(app.service.baseUrl)
  })
  afterAll(() => app.stop())

  const answers = (): string[] =>
    app.slack.ana
      .sees('general')
      .filter(({ author }) => author.kind === 'app')
      .map(texts)

  /** @returns the first answer, and how long it took */
  async function shorten(): Promise<{ answer: string; ms: number }> {
    const before = answers().length
    const start = clock.now()
    const typed = app.slack.ana.types(`/shorten https://example.com/${kind}/${++count} qr=off`, {
      in: 'general',
    })
    const answer = await clock.until(() => answers()[before], {
      mayTimeOut: () => app.service.hanging() > 0,
    })
    const ms = clock.now() - start
    await typed
    return { answer, ms }
  }

  const isCreate = (method: string): boolean => method === 'POST'

  test.each(Object.entries(FAULTS))(
    'explains in time that a create %s, and creates no link',
    async (_what, fault) => {
      const before = fake.count()
      app.service.answers((request) => (isCreate(request.method) ? fault : fake.respond(request)))
      const { answer, ms } = await shorten()
      app.service.answers(fake.respond)
      expect(ms).toBeLessThanOrEqual(ANSWERED_WITHIN_MS)
      expect(answer).toContain('ink service')
      expect(fake.count()).toBe(before)
    },
  )

  test.each(Object.entries(FAULTS))(
    'creates one link if a create succeeds and then %s, and finds it or says that it is uncertain',
    async (_what, fault) => {
      const before = fake.count()
      let isLost = true
      app.service.answers((request) => {
        const answer = fake.respond(request)
        if (!isCreate(request.method) || !isLost) return answer
        isLost = false
        return fault
      })
      const { answer, ms } = await shorten()
      app.service.answers(fake.respond)
      expect(ms).toBeLessThanOrEqual(ANSWERED_WITHIN_MS)
      expect(answer).toMatch(
        new RegExp(`${app.service.baseUrl}|might have been created anyway: look at /shorten list`),
      )
      expect(fake.count()).toBe(before + 1)
    },
  )
})
