import { afterEach, beforeEach, expect, test } from 'vitest'
import { runAdmin } from '../../../src/service/admin/run-admin.ts'
import type { Modal } from '../../../src/simulator/protocol.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import { texts } from '../../support/texts.ts'

let app: TestApp
let databaseUrl: string
let directory: Awaited<ReturnType<typeof makeTempDir>>

beforeEach(async () => {
  directory = await makeTempDir()
  databaseUrl = `file:${directory.path}/backhalf.db`
})
afterEach(async () => {
  await app.stop()
  await directory.remove()
})

/** Runs an admin command of the link service. @returns what it printed */
async function admin(...args: string[]): Promise<string> {
  let out = ''
  const print = (text: string): void => void (out += text)
  const publicUrl = app.running.serviceUrl
  await runAdmin(args, { databaseUrl, publicUrl, out: print, err: print })
  return out
}

/** Waits until Ana's top modal has this callback_id and contains this text. */
async function top(callbackId: string, text = ''): Promise<Modal> {
  const { ana, until } = app.slack
  return until(() => {
    const modal = ana.modal()
    return modal?.view['callback_id'] === callbackId && texts(modal).includes(text) && modal
  })
}

/** Makes the workspace's first link, with which the service gives it a key and the app learns what it offers. */
async function shortenFirst(): Promise<void> {
  const { ana, until } = app.slack
  await ana.types('/shorten list', { in: 'general' })
  await until(() => ana.sees('general').some(({ author }) => author.kind === 'app'))
}

async function openDomains(): Promise<void> {
  const { ana } = app.slack
  await ana.types('/shorten settings', { in: 'general' })
  await top('settings')
  await ana.presses('edit_domains')
}

test('an admin picks domains from the list of the bundled service, which knows the workspace by its name', async () => {
  app = await startApp({ config: { databaseUrl } })
  const { ana, ben, until } = app.slack
  await ana.opensHome()
  await ana.seesHome('Connected to')
  expect(await admin('orgs', 'list')).toContain('Playground')
  await shortenFirst()
  await admin('domains', 'add', 'go.example.com', '--id', 'go')
  await admin('domains', 'add', 'x.example.com', '--id', 'x')
  await openDomains()
  await top('settings_pick_domains', 'x.example.com')

  ana.fills({ Domains: ['go.example.com', 'x.example.com'] })
  await ana.submits()
  await until(() => ana.modal()?.errors['default_domain'])
  expect(ana.modal()?.errors).toEqual({
    default_domain: 'The default must be one of the domains above.',
  })
  ana.fills({ 'Default domain': 'x.example.com' })
  await ana.submits()
  await top('settings', 'New links are made on *x.example.com*, with 1 other to choose from.')
  expect(texts(ana.modal())).toContain('Backhalf created this key automatically')
  await ana.closesAll()

  await ben.asks('/shorten https://example.com/ spring', { for: 'x.example.com/spring' })
  expect(app.slack.takeRefusals()).toEqual([])
})

test('an admin connects with a key alone, and then picks domains', async () => {
  app = await startApp({ config: { databaseUrl } })
  const { ana } = app.slack
  await admin('orgs', 'add', 'Acme')
  await admin('domains', 'add', 'go.example.com', '--id', 'go')
  const [key = ''] =
    /bh_\w+/.exec(await admin('keys', 'create', '--name', 'K', '--org', 'Acme')) ?? []
  await ana.types('/shorten connect', { in: 'general' })
  await top('connect_form')
  ana.fills({ 'API key': key, Domains: '' })
  await ana.submits()
  const picker = await top('settings_pick_domains', 'This workspace is connected.')
  expect(JSON.stringify(picker)).not.toContain(key)
  expect(picker.view['close']).toMatchObject({ text: 'Close' })
  ana.fills({ Domains: ['go.example.com'], 'Default domain': 'go.example.com' })
  await ana.submits()
  await app.slack.until(() => !ana.modal())
  await ana.types('/shorten settings', { in: 'general' })
  await top('settings', 'New links are made on *go.example.com*.')
  await ana.closesAll()
  expect(app.slack.takeRefusals()).toEqual([])
})
