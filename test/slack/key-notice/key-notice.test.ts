import { expect, test } from 'vitest'
import { startAppElsewhere } from '../../support/app-elsewhere.ts'
import { created, failure } from '../../support/fake-link-service.ts'
import { shareApp } from '../../support/shared-app.ts'
import { texts } from '../../support/texts.ts'

const app = shareApp(() => startAppElsewhere(() => created(), { fallback: undefined }))
const list = { status: 200, body: { links: [] } }

const works = () => app.service.answers(({ method }) => (method === 'GET' ? list : created()))

async function connects(apiKey: string): Promise<void> {
  const { ana, until } = app.slack
  works()
  await ana.types('/shorten connect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('api_key'))
  ana.fills({ 'API key': apiKey, Domains: 'dom_1 go.example.com' })
  await ana.submits()
  await until(() => texts(ana.modal()).includes('accepts the key'))
  await ana.closesAll()
}

const notices = () =>
  app.slack.ana.sees('app').filter((message) => texts(message).includes('Enter a new key'))

async function benSees(text: string): Promise<void> {
  const { ben, until } = app.slack
  const before = ben.sees('general').length
  await ben.types('/shorten https://example.com/page', { in: 'general' })
  await until(() =>
    ben
      .sees('general')
      .slice(before)
      .some((message) => texts(message).includes(text)),
  )
}

test('tells the admin once, while each user sees their own error, until a new key works', async () => {
  const { ana, until } = app.slack
  await connects('key-1')
  app.service.answers(() => failure(503, 'SERVICE_UNAVAILABLE'))
  await benSees('problem of its own')
  app.service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  await benSees('doesn’t accept this workspace’s API key anymore')
  await until(() => notices().length)
  await benSees('doesn’t accept this workspace’s API key anymore')
  expect(notices()).toHaveLength(1)

  await ana.presses('Enter a new key', { in: 'app' })
  await until(() => texts(ana.modal()).includes('api_key'))
  await ana.closesAll()
  await connects('key-2')
  await benSees('go.example.com')
  app.service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  await benSees('doesn’t accept this workspace’s API key anymore')
  await until(() => notices().length === 2)
})

test('tells no one about an earlier key that a slow request still used', async () => {
  const { ben } = app.slack
  await connects('key-3')
  const before = notices().length
  const arrived = Promise.withResolvers<undefined>()
  const refused = Promise.withResolvers<undefined>()
  app.service.answers(async ({ headers }) => {
    if (headers['x-api-key'] !== 'key-3') return created()
    arrived.resolve(undefined)
    await refused.promise
    return failure(401, 'AUTHENTICATION_REQUIRED')
  })
  await ben.types('/shorten https://example.com/slow', { in: 'general' })
  await arrived.promise
  await connects('key-4')
  refused.resolve(undefined)
  // A notice of key-4, which comes later, shows that none of key-3 was sent.
  app.service.answers(() => failure(401, 'AUTHENTICATION_REQUIRED'))
  await benSees('doesn’t accept this workspace’s API key anymore')
  await app.slack.until(() => notices().length > before)
  expect(notices()).toHaveLength(before + 1)
})
