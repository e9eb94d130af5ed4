import { join } from 'node:path'
import { expect } from 'vitest'
import { DOMAINS_PATH, LIST_PATH } from '../../../src/contract/endpoints.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { startApp } from '../../support/app.ts'
import { created, failure, type Answer, type Responder } from '../../support/fake-link-service.ts'
import type { PersonDriver } from '../../support/person.ts'
import { createFakeClock } from '../../support/platform.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import { texts } from '../../support/texts.ts'

const SECRET = 'a-key-of-the-tests-1234'

const clock = createFakeClock()
const { test, slack, ana, ben, until, service } = withAppElsewhere({
  config: { fallback: undefined },
  clock,
})

const list = { status: 200, body: { links: [] } }

/** A service that lists links, and knows only the domain record `dom_1`. */
const knowsOneDomain: Responder = ({ method, body }) => {
  if (method === 'GET') return list
  const details = { destination_url: ['Missing.'], domain: ['Unknown.'] }
  if (body.includes('dom_1')) details.domain = []
  return failure(422, 'VALIDATION_ERROR', { details })
}

test('tells every user what to do while the workspace is not connected, also instead of the form', async () => {
  const what = 'Admins can connect it with /shorten connect'
  await ben.asks('/shorten https://example.com', { for: what })
  await ben.opens('/shorten', what)
  expect(ben.modal()?.view['submit']).toBeUndefined()
})

async function submitConnect(apiKey: string, domains: string, admin = ana): Promise<PersonDriver> {
  await admin.opens('/shorten connect', 'api_key')
  admin.fills({ 'API key': apiKey, Domains: domains })
  await admin.submits()
  return admin
}

test('refuses a key and domain records that the service does not accept, at their fields, and saves nothing', async () => {
  service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  const ana = await submitConnect(SECRET, 'dom_1 go.example.com\ndom_2 x.example.com')
  expect(texts(ana.modal())).toContain('Enter an API key for the link service at')
  expect(await ana.seesErrors()).toEqual({
    api_key: 'The link service doesn’t accept this key. Copy it again, or create a new one there.',
  })
  service.answers(knowsOneDomain)
  await ana.submits()
  await until(() => ana.modal()?.errors['domains'])
  expect(ana.modal()?.errors).toEqual({
    domains: 'The link service doesn’t accept the domain record “dom_2”: Unknown.',
  })
  service.answers(({ url }) => (url.startsWith(DOMAINS_PATH) ? failure(404, 'X') : list))
  ana.fills({ Domains: '' })
  await ana.submits()
  await until(() => ana.modal()?.errors['domains']?.includes('list'))
  expect(ana.modal()?.errors).toEqual({
    domains: 'This link service doesn’t list its domains. Enter at least one.',
  })
  await ana.closes()
  await ana.asks('/shorten https://example.com', { for: 'isn’t connected' })
})

test('shows the form again, with the domains but without the key, if the service is down', async () => {
  service.answers(() => failure(500, 'INTERNAL_ERROR'))
  const ana = await submitConnect(SECRET, 'dom_1 go.example.com')
  await ana.seesModal('The key was not saved. Please enter it again.')
  expect(ana.form()).toMatchObject({ domains: 'dom_1 go.example.com' })
  expect(texts(ana.modal())).not.toContain(SECRET)
})

test('tells a user who has closed the form that the service refused the key', async () => {
  const refused = Promise.withResolvers<undefined>()
  service.answers(() => refused.promise.then(() => failure(401, 'AUTHENTICATION_REQUIRED')))
  const submitted = submitConnect(SECRET, 'dom_1 go.example.com')
  await clock.endSleep(2_000)
  await ana.seesModal('Trying the key…')
  await ana.closes()
  refused.resolve(undefined)
  await clock.endSleep(500)
  await submitted
  const message = await ana.gets('The key was not saved.', { in: 'app' })
  expect(texts(message)).toContain('doesn’t accept this key')
  expect(JSON.stringify(message)).not.toContain(SECRET)
  expect(slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})

test('saves a key that the service accepts, and uses it', async () => {
  service.answers(({ method }) => (method === 'GET' ? list : created()))
  const ana = await submitConnect(SECRET, 'dom_1 go.example.com\ndom_2, https://b.example.com/')
  await ana.seesModal('This workspace is connected.')
  expect(texts(ana.modal())).toContain('Its domains: *go.example.com*, *b.example.com*.')
  expect(texts(ana.modal())).toContain('The domain records and their hostnames were not tried')
  expect(texts(ana.modal())).not.toContain('isn’t allowed')
  const listed = service.received.filter(({ url }) => url.includes(LIST_PATH)).at(-1)
  expect(listed).toMatchObject({ headers: { 'x-api-key': SECRET } })
  expect(listed?.url).toContain('per_page=1')
  await ana.closes()
  await ben.asks('/shorten https://example.com/page', { for: 'x7Kp2Qa' })
  expect(service.received.at(-1)?.headers['x-api-key']).toBe(SECRET)
})

test('then shows the end of the key in the form, but never the whole key', async () => {
  await ana.opens('/shorten connect', '`1234`')
  expect(JSON.stringify(ana.modal())).not.toContain(SECRET)
  expect(ana.form()).toMatchObject({ domains: 'dom_1 go.example.com\ndom_2 b.example.com' })
})

/** A service that lists links, and answers a create without a destination like this. */
const creates =
  (answer: Answer): Responder =>
  ({ method }) =>
    method === 'GET' ? list : answer
const noDestination = { details: { destination_url: ['Missing.'] } }
const NOT_TRIED = 'The domain records and their hostnames were not tried'

test.each<[may: string, Responder, shown: string[]]>([
  [
    'may neither list nor create links',
    () => failure(403, 'PERMISSION_DENIED'),
    ['The key isn’t allowed to list links', NOT_TRIED],
  ],
  [
    'may not create links',
    creates(failure(403, 'PERMISSION_DENIED')),
    ['The key isn’t allowed to create links', NOT_TRIED],
  ],
  [
    'may create links, but refuses no record',
    creates(failure(422, 'VALIDATION_ERROR', noDestination)),
    [NOT_TRIED],
  ],
  [
    'may create links on the records',
    knowsOneDomain,
    ['The link service accepts the key and knows the domain records.'],
  ],
])('saves a key that %s, and says what was found out', async (_may, responder, shown) => {
  service.answers(responder)
  const ana = await submitConnect('another-key-5678', 'dom_1 go.example.com')
  for (const text of shown) await ana.seesModal(text)
})

test('does not show a key that was typed after the command, even if there is an error', async () => {
  await ben.opens(`/shorten connect ${SECRET}`, 'Only admins')
  await ben.closes()
  slack.failNext('views.open', { error: 'expired_trigger_id' })
  await ben.asks(`/shorten connect ${SECRET}`, { for: 'Something went wrong on our side' })
  const shown = ben.sees('general').filter(({ author }) => author.kind === 'app')
  expect(JSON.stringify(shown)).not.toContain(SECRET)
})

test('tells users that the encryption keys are lost, and lets an admin enter the API key again', async () => {
  const directory = await makeTempDir()
  const config = {
    databaseUrl: `file:${join(directory.path, 'backhalf.db')}`,
    linkService: { kind: 'external', service: 'backhalf', baseUrl: service.baseUrl },
  } as const
  service.answers(() => list)
  const first = await startApp({ config: { ...config, encryptionKeys: [Buffer.alloc(32, 1)] } })
  await submitConnect(SECRET, 'dom_1 go.example.com', first.slack.ana)
  await first.slack.ana.seesModal('is connected')
  await first.stop()

  const second = await startApp({ config: { ...config, encryptionKeys: [Buffer.alloc(32, 2)] } })
  const { ana } = second.slack
  await ana.asks('/shorten https://example.com', { for: 'can’t be read anymore' })
  await ana.opens(
    '/shorten settings',
    'The saved API key can’t be read anymore. Please enter it again.',
  )
  await ana.closes()
  await ana.opens('/shorten connect', 'The saved key can’t be read anymore. Please enter it again.')
  await second.stop()
  await directory.remove()
})

test('shows that something went wrong if Slack doesn’t say who is an admin', async () => {
  slack.failNext('users.info', { error: 'user_not_found' })
  await ana.opens('/shorten connect', 'Something went wrong')
})
