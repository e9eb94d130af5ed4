import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startAppElsewhere, type AppElsewhere } from '../../support/app-elsewhere.ts'
import { startApp } from '../../support/app.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import { created, failure, type ForeignService } from '../../support/fake-link-service.ts'
import type { PersonDriver } from '../../support/person.ts'
import { texts } from '../../support/texts.ts'

const SECRET = 'a-key-of-the-tests-1234'

let service: ForeignService
let app: AppElsewhere

beforeAll(async () => {
  app = await startAppElsewhere(() => created(), { fallback: undefined })
  service = app.service
})
afterEach(() => {
  expect(app.slack.takeRefusals()).toEqual([])
})
afterAll(() => app.stop())

const list = { status: 200, body: { links: [] } }

test('before the workspace is connected, everybody is told what to do', async () => {
  const { ben, until } = app.slack
  await ben.types('/shorten https://example.com', { in: 'general' })
  await until(() =>
    texts(ben.newest('general')).includes('An admin can connect it with /shorten connect'),
  )
})

test('before that, guidance stands in place of the form', async () => {
  const { ben, until } = app.slack
  await ben.types('/shorten', { in: 'general' })
  await until(() => texts(ben.modal()).includes('One step first'))
  expect(ben.modal()?.view['submit']).toBeUndefined()
  await ben.closes()
})

test('who is no admin can’t connect it', async () => {
  const { ben, until } = app.slack
  await ben.types('/shorten connect', { in: 'general' })
  await until(() => texts(ben.modal()).includes('Only admins'))
  expect(ben.modal()?.view['submit']).toBeUndefined()
  await ben.closes()
})

async function submitConnect(apiKey: string, domains: string): Promise<PersonDriver> {
  const { ana, until } = app.slack
  await ana.types('/shorten connect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('api_key'))
  ana.fills({ 'API key': apiKey, Domains: domains })
  await ana.submits()
  return ana
}

test('a key that the service does not accept is refused at its field, and not kept', async () => {
  service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  const ana = await submitConnect(SECRET, 'dom_1 go.example.com')
  await app.slack.until(() => ana.modal()?.errors['api_key'])
  expect(ana.modal()?.errors).toEqual({
    api_key: expect.stringContaining('doesn’t accept this key') as string,
  })
  await ana.closes()
  await ana.types('/shorten https://example.com', { in: 'general' })
  await app.slack.until(() =>
    JSON.stringify(ana.newest('general') ?? {}).includes('isn’t connected'),
  )
})

test('domain lines that can’t be read are refused at their field, with their number', async () => {
  const ana = await submitConnect(SECRET, 'dom_1 go.example.com\ndom_2\n\ndom_1 x.example.com')
  await app.slack.until(() => ana.modal()?.errors['domains'])
  expect(ana.modal()?.errors['domains']).toContain('Line 2')
  await ana.closes()
})

test('a service that is down brings the form back, with the domains and without the key', async () => {
  service.answers(() => failure(500, 'INTERNAL_ERROR'))
  const ana = await submitConnect(SECRET, 'dom_1 go.example.com')
  await app.slack.until(() => texts(ana.modal()).includes('The key was not kept'))
  expect(ana.form()).toMatchObject({ domains: 'dom_1 go.example.com' })
  expect(texts(ana.modal())).not.toContain(SECRET)
  await ana.closes()
})

test('whoever has closed the form before the key turns out to be bad is told that it was not kept', async () => {
  const { ana, until } = app.slack
  const refused = Promise.withResolvers<undefined>()
  service.answers(() => refused.promise.then(() => failure(401, 'AUTHENTICATION_REQUIRED')))
  const submitted = submitConnect(SECRET, 'dom_1 go.example.com')
  await until(() => texts(ana.modal()).includes('Trying the key'))
  await ana.closes()
  refused.resolve(undefined)
  await submitted
  const told = await until(
    () => texts(ana.newest('app')).includes('The key was not kept') && ana.newest('app'),
  )
  expect(texts(told)).toContain('doesn’t accept this key')
  expect(JSON.stringify(told)).not.toContain(SECRET)
  expect(app.slack.takeRefusals()).toMatchObject([{ where: 'views.update', error: 'not_found' }])
})

test('a good key is kept, and used', async () => {
  service.answers(({ method }) => (method === 'GET' ? list : created()))
  const ana = await submitConnect(SECRET, 'dom_1 go.example.com\ndom_2, https://b.example.com/')
  await app.slack.until(() => texts(ana.modal()).includes('is connected'))
  expect(texts(ana.modal())).toContain('*go.example.com*, *b.example.com*')
  expect(service.received.at(-1)).toMatchObject({
    method: 'GET',
    headers: { 'x-api-key': SECRET },
  })
  expect(service.received.at(-1)?.url).toContain('per_page=1')
  await ana.closes()

  const { ben, until } = app.slack
  const seen = ben.sees('general').length
  await ben.types('/shorten https://example.com/page', { in: 'general' })
  await until(
    () =>
      ben.sees('general').length > seen + 0 &&
      JSON.stringify(ben.newest('general')).includes('x7Kp2Qa'),
  )
  expect(service.received.at(-1)?.headers['x-api-key']).toBe(SECRET)
})

test('the form then shows how the key ends, and never the key', async () => {
  const { ana, until } = app.slack
  await ana.types('/shorten connect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('`1234`'))
  expect(JSON.stringify(ana.modal())).not.toContain(SECRET)
  expect(ana.form()).toMatchObject({ domains: 'dom_1 go.example.com\ndom_2 b.example.com' })
  await ana.closes()
})

test('a key that may not list is kept, with a warning', async () => {
  service.answers(() => failure(403, 'PERMISSION_DENIED'))
  const ana = await submitConnect('another-key-5678', 'dom_1 go.example.com')
  await app.slack.until(() => texts(ana.modal()).includes('may not list links'))
  await ana.closes()
})

test('a key that is typed after the command is not shown again', async () => {
  const { ben, until } = app.slack
  await ben.types(`/shorten connect ${SECRET}`, { in: 'general' })
  await until(() => texts(ben.modal()).includes('Only admins'))
  await ben.closes()
  expect(
    JSON.stringify(ben.sees('general').filter(({ author }) => author.kind === 'app')),
  ).not.toContain(SECRET)
})

test('when the encryption keys are lost, everybody is told, and an admin can enter the key again', async () => {
  const directory = await makeTempDir()
  const config = {
    databaseUrl: `file:${join(directory.path, 'backhalf.db')}`,
    linkService: { kind: 'outside', baseUrl: service.baseUrl },
  } as const
  service.answers(() => list)
  const first = await startApp({ config: { ...config, encryptionKeys: [Buffer.alloc(32, 1)] } })
  await first.slack.ana.types('/shorten connect', { in: 'general' })
  await first.slack.until(() => texts(first.slack.ana.modal()).includes('api_key'))
  first.slack.ana.fills({ 'API key': SECRET, Domains: 'dom_1 go.example.com' })
  await first.slack.ana.submits()
  await first.slack.until(() => texts(first.slack.ana.modal()).includes('is connected'))
  await first.stop()

  const second = await startApp({ config: { ...config, encryptionKeys: [Buffer.alloc(32, 2)] } })
  const { ana, until } = second.slack
  await ana.types('/shorten https://example.com', { in: 'general' })
  await until(() => JSON.stringify(ana.newest('general') ?? {}).includes('can’t be read any more'))
  await ana.types('/shorten connect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('Please enter it again'))
  await second.stop()
  await directory.remove()
})

test('when Slack doesn’t say who is an admin, the modal says that something went wrong', async () => {
  const { ana, until, failNext } = app.slack
  failNext('users.info', { error: 'user_not_found' })
  await ana.types('/shorten connect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('Something went wrong'))
  await ana.closes()
})
