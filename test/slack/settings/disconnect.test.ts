import { expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { shareApp } from '../../support/shared-app.ts'
import { texts } from '../../support/texts.ts'

/** The app with our own link service, which creates a key for each workspace. */
const app = shareApp(startApp)

/** @param expected text in the answer */
async function shorten(url: string, expected: string): Promise<void> {
  const { ben, until } = app.slack
  await ben.types(`/shorten ${url}`, { in: 'general' })
  await until(() => JSON.stringify(ben.newest('general') ?? {}).includes(expected))
}

/** Opens the settings and waits until they contain this text. */
async function openSettings(text: string): Promise<void> {
  const { ana, until } = app.slack
  await ana.types('/shorten settings', { in: 'general' })
  await until(() => texts(ana.modal()).includes(text))
}

test('keeps a workspace disconnected until an admin connects it again', async () => {
  const { ana, until } = app.slack
  await shorten('https://example.com/one', '/example.com/one')
  await openSettings('Backhalf created this key automatically on <!date^')
  await ana.closes()

  await ana.types('/shorten disconnect', { in: 'general' })
  await until(() =>
    texts(ana.modal()).includes('To connect again, you only have to press a button.'),
  )
  await ana.submits()
  await until(() => texts(ana.modal()).includes('is disconnected'))
  await ana.closes()
  await shorten('https://example.com/two', 'isn’t connected to a link service. Admins')

  await ana.types('/shorten disconnect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('isn’t connected to a link service. You can'))
  await ana.closes()
  await ana.types('/shorten connect', { in: 'general' })
  await until(() => texts(ana.modal()).includes('without a key'))
  await ana.closes()

  await openSettings(`Disconnected by <@${ana.id}>`)
  await ana.presses('Connect again')
  await until(() => texts(ana.modal()).includes('Backhalf created this key automatically'))
  await ana.closes()
  await shorten('https://example.com/four', '/example.com/four')
})

test('reports no error to an admin who closes the settings while the workspace is being connected', async () => {
  const { ana, until, failNext, takeRefusals } = app.slack
  await ana.types('/shorten disconnect', { in: 'general' })
  await until(() => ana.modal()?.view['submit'])
  await ana.submits()
  await until(() => texts(ana.modal()).includes('is disconnected'))
  await ana.closes()
  await ana.opensHome()
  await until(() => JSON.stringify(ana.home() ?? {}).includes('isn’t connected to a link service.'))
  await openSettings(`Disconnected by <@${ana.id}>`)
  failNext('views.update', { error: 'not_found' })
  await ana.presses('Connect again')
  await until(() => JSON.stringify(ana.home()).includes('Connected to'))
  expect(ana.sees('app')).toEqual([])
  expect(takeRefusals().map(({ error }) => error)).toEqual([])
  await ana.closes()
})

test('lets an admin change the domains of a key that was created automatically', async () => {
  const { ana, until } = app.slack
  await openSettings('New links are made on *localhost')
  await ana.presses('edit_domains')
  await until(() => ana.modal()?.view['callback_id'] === 'settings_domains')
  const text = ana.form()['domains'] as string
  ana.fills({ Domains: `${text}\nmore go.example.com` })
  await ana.submits()
  await until(() => texts(ana.modal()).includes(', with 1 other to choose from'))
  expect(texts(ana.modal())).toContain('Backhalf created this key automatically')
  await ana.closes()
})

test('disconnects a workspace whose key the deployment sets, but does not let admins change its domains', async () => {
  const fallback = { apiKey: 'the-deployment’s-key-9876', domain: 'dom_9' }
  const configured = await startApp({
    config: {
      linkService: { kind: 'external', baseUrl: 'http://127.0.0.1:9' },
      fallback,
    },
  })
  try {
    const { ana, until } = configured.slack
    await ana.types('/shorten settings', { in: 'general' })
    await until(() =>
      texts(ana.modal()).includes('The key is set by the person who runs Backhalf.'),
    )
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
