import { expect } from 'vitest'
import { created, failure } from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, ana, ben, until, service } = withAppElsewhere({ config: { fallback: undefined } })

const REFUSED = failure(401, 'AUTHENTICATION_REQUIRED')
const ANSWER = 'doesn’t accept this workspace’s API key anymore'

async function connects(apiKey: string): Promise<void> {
  const list = { status: 200, body: { links: [] } }
  service.answers(({ method }) => (method === 'GET' ? list : created()))
  await ana.opens('/shorten connect', 'api_key')
  ana.fills({ 'API key': apiKey, Domains: 'dom_1 go.example.com' })
  await ana.submits()
  await ana.seesModal('accepts the key')
  await ana.closesAll()
}

const notices = () =>
  ana.sees('app').filter((message) => texts(message).includes('Enter a new key'))

const benSees = (text: string) => ben.asks('/shorten https://example.com/page', { for: text })

test('tells the admin once, while each user sees their own error, until a new key works', async () => {
  await connects('key-1')
  service.answers(() => failure(503, 'SERVICE_UNAVAILABLE'))
  await benSees('The link service failed')
  service.answers(() => REFUSED)
  await benSees(ANSWER)
  await until(() => notices().length)
  await benSees(ANSWER)
  expect(notices()).toHaveLength(1)

  await ana.presses('Enter a new key', { in: 'app' })
  await ana.seesModal('api_key')
  await ana.closesAll()
  await connects('key-2')
  await benSees('go.example.com')
  service.answers(() => REFUSED)
  await benSees(ANSWER)
  await until(() => notices().length === 2)
})
