import { expect } from 'vitest'
import { adminJson } from '../../support/admin.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, app, ana, ben, until } = withApp()

/** Runs an admin command of the link service. */
const admin = (...args: string[]) =>
  adminJson({ databaseUrl: app.databaseUrl, baseUrl: app.running.serviceUrl }, ...args)

test('an admin picks domains from the list of the bundled service, which knows the workspace by its name', async () => {
  await ana.opensHome()
  await ana.seesHome('Connected to')
  expect(JSON.stringify(await admin('orgs', 'list'))).toContain('Playground')
  // The app learns what the service offers.
  await ana.asks('/shorten list')
  await admin('domains', 'add', 'go.example.com', '--id', 'go')
  await admin('domains', 'add', 'x.example.com', '--id', 'x')
  await ana.opens('/shorten settings', 'Backhalf created this key automatically')
  await ana.presses('edit_domains')
  await ana.seesModal('x.example.com')

  ana.fills({ Domains: ['go.example.com', 'x.example.com'] })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    default_domain: 'The default must be one of the domains above.',
  })
  ana.fills({ 'Default domain': 'x.example.com' })
  await ana.submits()
  await ana.seesModal('New links are created on *x.example.com*, with 1 other to choose from.')
  expect(texts(ana.modal())).toContain('Backhalf created this key automatically')

  await ben.asks('/shorten https://example.com/ spring', { for: 'x.example.com/spring' })
})

test('an admin connects with a key alone, and then picks domains', async () => {
  await admin('orgs', 'add', 'Acme')
  const { key = '' } = await admin('keys', 'create', '--name', 'K', '--org', 'Acme')
  await ana.opens('/shorten connect', 'api_key')
  ana.fills({ 'API key': key, Domains: '' })
  await ana.submits()
  await ana.seesModal('This workspace is connected.')
  expect(JSON.stringify(ana.modal())).not.toContain(key)
  expect(ana.modal()?.view['close']).toMatchObject({ text: 'Close' })
  ana.fills({ Domains: ['go.example.com'], 'Default domain': 'go.example.com' })
  await ana.submits()
  await until(() => !ana.modal())
  await ana.opens('/shorten settings', 'New links are created on *go.example.com*.')
})
