import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { texts } from '../../support/texts.ts'

/** With a link service of our own, where a workspace gets its key by itself. */
let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterEach(() => {
  expect(app.slack.takeRefusals()).toEqual([])
})
afterAll(() => app.stop())

async function shorten(url: string, expected: string): Promise<void> {
  const { ben, until } = app.slack
  await ben.types(`/shorten ${url}`, { in: 'general' })
  await until(() => JSON.stringify(ben.newest('general') ?? {}).includes(expected))
}

async function opensSettings(holding: string): Promise<void> {
  const { ana, until } = app.slack
  await ana.types('/shorten settings', { in: 'general' })
  await until(() => texts(ana.modal()).includes(holding))
}

test('a workspace that an admin disconnected stays so, until an admin connects it again', async () => {
  const { ana, until } = app.slack
  await shorten('https://example.com/one', '/example.com/one')
  await opensSettings('Backhalf made this key by itself on <!date^')
  await ana.closes()

  await ana.types('/shorten disconnect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('one press of a button'))
  await ana.submits()
  await until(() => texts(ana.modal()).includes('is disconnected'))
  await ana.closes()
  // It was connected before, so there is nothing that it isn't “yet”.
  await shorten('https://example.com/two', 'isn’t connected to a link service. An admin')

  await ana.types('/shorten disconnect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('nothing to disconnect'))
  await ana.closes()
  await ana.types('/shorten connect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('without a key'))
  await ana.closes()

  await opensSettings(`Disconnected by <@${ana.id}>`)
  await ana.presses('Connect again')
  await until(() => texts(ana.modal()).includes('Backhalf made this key by itself'))
  await ana.closes()
  await shorten('https://example.com/four', '/example.com/four')
})

test('who closes the settings while the workspace is connected again is told of no failure', async () => {
  const { ana, until, failNext, takeRefusals } = app.slack
  await ana.types('/shorten disconnect', { in: 'general' })
  await until(() => ana.modal()?.view['submit'])
  await ana.submits()
  await until(() => texts(ana.modal()).includes('is disconnected'))
  await ana.closes()
  await ana.opensHome()
  await until(() => JSON.stringify(ana.home() ?? {}).includes('isn’t connected to a link service.'))
  await opensSettings(`Disconnected by <@${ana.id}>`)
  failNext('views.update', { error: 'not_found' })
  await ana.presses('Connect again')
  await until(() => JSON.stringify(ana.home()).includes('Connected to'))
  expect(ana.sees('app')).toEqual([])
  expect(takeRefusals().map(({ error }) => error)).toEqual([])
  await ana.closes()
})

test('the domains of a key that nobody entered can be changed, and the key stays', async () => {
  const { ana, until } = app.slack
  await opensSettings('New links are made on *localhost')
  await ana.presses('edit_domains')
  await until(() => ana.modal()?.view['callback_id'] === 'settings_domains')
  const text = ana.form()['domains'] as string
  ana.fills({ Domains: `${text}\nmore go.example.com` })
  await ana.submits()
  await until(() => texts(ana.modal()).includes(', and 1 other to choose from'))
  expect(texts(ana.modal())).toContain('Backhalf made this key by itself')
  await ana.closes()
})

test('where the deployment sets the key, the domains are its own, and a disconnect holds all the same', async () => {
  const fallback = { apiKey: 'the-deployment’s-key-9876', domain: 'dom_9' }
  const configured = await startApp({
    config: {
      linkService: { kind: 'outside', baseUrl: 'http://127.0.0.1:9' },
      fallback,
    },
  })
  try {
    const { ana, until } = configured.slack
    await ana.types('/shorten settings', { in: 'general' })
    await until(() => texts(ana.modal()).includes('set by whoever runs Backhalf'))
    expect(texts(ana.modal())).toContain('`9876`')
    await expect(ana.presses('edit_domains')).rejects.toThrow('There is no')
    await ana.presses('disconnect')
    await until(() => ana.modal()?.view['callback_id'] === 'disconnect_form')
    await ana.submits()
    await until(() => texts(ana.modal()).includes('is disconnected'))
    await ana.closes()
    await ana.types('/shorten https://example.com', { in: 'general' })
    await until(() => JSON.stringify(ana.newest('general') ?? {}).includes('isn’t connected'))
  } finally {
    await configured.stop()
  }
})
