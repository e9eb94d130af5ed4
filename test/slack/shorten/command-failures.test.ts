import { expect } from 'vitest'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { created, failure, type Answer } from '../../support/fake-link-service.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts, withoutRequestId } from '../../support/texts.ts'

const clock = createFakeClock()
const { test, ana, service } = withAppElsewhere({ clock })

/** The answer that Ana gets to a command. */
async function answerTo(command: string): Promise<string> {
  const answer = await ana.asks(command)
  expect(answer.ephemeral).toBe(true)
  return withoutRequestId(texts(answer))
}

const SHORTEN = '/shorten https://example.com/page spring qr=off'

test.each<[string, Answer, string]>([
  [
    '401',
    failure(401, 'AUTHENTICATION_REQUIRED'),
    'The link service doesn’t accept this workspace’s API key anymore. An admin can replace it with /shorten connect.',
  ],
  [
    '409 for the back-half',
    failure(409, 'BACK_HALF_CONFLICT'),
    'Back-half: “spring” is taken on this domain. Choose another back-half.',
  ],
  [
    '409 for either of them',
    failure(409, 'CONFLICT'),
    'Either the back-half is taken, or this destination already has a short link on this domain. Choose another back-half, or look at /shorten list. The link service says: “Words for CONFLICT.”',
  ],
  ['422', failure(422, 'X', { details: { back_half: 'Too short.' } }), 'Back-half: Too short.'],
  [
    '422 without a field',
    failure(422, 'X'),
    'The link service refused this: “Words for X.” Change something and try again. If that doesn’t help, ask the person who runs the link service.',
  ],
  [
    'HTML instead of JSON',
    { status: 200, body: '<html>' },
    'Backhalf couldn’t understand the link service’s answer. The link may have been created anyway: look at /shorten list before you try again. If this keeps happening, ask the person who runs Backhalf to check the service’s address.',
  ],
  [
    'an HTML error page',
    { status: 404, body: '<html>' },
    'There is no link service at the address that Backhalf uses. Ask the person who runs Backhalf to check it.',
  ],
])('explains %s to the user, and shows the command again', async (_name, answer, explanation) => {
  service.answers(() => answer)
  const shown = await answerTo(SHORTEN)
  expect(shown).toContain(`:warning: ${explanation}"`)
  expect(shown).toContain(SHORTEN)
  expect(shown).not.toContain('key-1')
})

test('explains a failed list', async () => {
  service.answers(() => failure(500, 'INTERNAL_ERROR'))
  expect(await answerTo('/shorten list')).toContain(
    ':warning: The link service had a problem of its own (error 500). Try again in a minute."',
  )
})

test('looks for the link and sends the same request again if the answer is lost, and shows the link once', async () => {
  service.received.length = 0
  service.answers(({ method }) => {
    if (method === 'GET') return { status: 200, body: { data: [] } }
    return service.received.length === 1 ? 'destroy' : created()
  })
  const answer = answerTo(SHORTEN)
  await clock.endSleep(250)
  expect(await answer).toContain('https://go.example.com/x7Kp2Qa')
  const [first, list, second] = service.received
  expect(service.received).toHaveLength(3)
  expect(list?.method).toBe('GET')
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
})

test('does not say “try again in one second” if the service refuses every try', async () => {
  service.answers(() => failure(429, 'X', { headers: { 'retry-after': '1' } }))
  const answer = answerTo(SHORTEN)
  for (let tries = 0; tries < 3; tries++) await clock.endSleep(1_000)
  expect(await answer).toContain(
    ':warning: The link service is getting too many requests. Try again in a minute."',
  )
})

test('explains that the service is down, after three more tries', async () => {
  await service.close()
  const answer = answerTo(SHORTEN)
  for (const ms of [250, 500, 1_000]) await clock.endSleep(ms)
  expect(await answer).toContain(
    ':warning: The link service can’t be reached right now. Try again in a minute."',
  )
})
