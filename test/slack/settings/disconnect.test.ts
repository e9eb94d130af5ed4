import { expect, onTestFinished } from 'vitest'
import { withApp } from '../../support/fixtures.ts'
import { startApp } from '../../support/app.ts'
import { texts } from '../../support/texts.ts'

/** The app with our own link service, which creates a key for each workspace. */
const { test, slack, ana, ben, until } = withApp()

const shorten = (url: string, expected: string) => ben.asks(`/shorten ${url}`, { for: expected })
const openSettings = (expected: string) => ana.opens('/shorten settings', expected)

test('keeps a workspace disconnected until an admin connects it again', async () => {
  // The app knows what our own service offers in the first form, and again after the connection.
  await ana.opens('/shorten', 'expires_at')
  await ana.closes()
  await shorten('https://example.com/one', '/example.com/one')
  await openSettings('Backhalf created this key automatically on <!date^')
  await ana.closes()

  await ana.opens('/shorten disconnect', 'Their history still names the people who created')
  await ana.seesModal('To connect again, you only have to press a button.')
  await ana.submits()
  await ana.seesModal('is disconnected')
  await ana.closes()
  await shorten('https://example.com/two', 'isn’t connected to a link service. Admins')

  await ana.opens('/shorten disconnect', 'isn’t connected to a link service. You can')
  await ana.closes()
  await ana.opens('/shorten connect', 'You don’t need a key.')
  await ana.presses('Connect again')
  await ana.seesModal('This workspace is connected.')
  await ana.closes()
  await shorten('https://example.com/three expires=30d', 'expires <!date^')

  await openSettings('Backhalf created this key automatically on <!date^')
  const key = /`(\w{4})`/.exec(texts(ana.modal()))?.[1]
  await ana.presses('Reconnect')
  await ana.seesModal('You don’t need a key of your own.')
  await ana.presses('Get a new key')
  await ana.seesModal('This workspace is connected.')
  await ana.closes()
  await until(() => !texts(ana.modal()).includes(`\`${key}\``))
  await ana.closes()
  await shorten('https://example.com/four', '/example.com/four')
})

test('reports no error to an admin whose settings Slack can’t show, or who has closed them', async () => {
  const { failNext, takeRefusals } = slack
  await ana.opensHome()
  await openSettings('*Connection*')
  await ana.presses('Disconnect…')
  await until(() => ana.modal()?.view['submit'])
  failNext('views.update', { error: 'internal_error' })
  await ana.submits()
  await ana.seesModal('is disconnected')
  await ana.seesHome('isn’t connected to a link service.')
  await ana.closesAll()
  await openSettings(`Disconnected by <@${ana.id}>`)
  failNext('views.update', { error: 'not_found' })
  await ana.presses('Connect again')
  await ana.seesHome('Connected to')
  expect(ana.sees('app')).toEqual([])
  expect(takeRefusals().map(({ error }) => error)).toEqual([])
})

test('disconnects a workspace whose key the deployment sets, but does not let admins change its domains', async () => {
  const fallback = { apiKey: 'the-deployment’s-key-9876', domain: 'dom_9' }
  const configured = await startApp({
    config: {
      linkService: { kind: 'external', service: 'backhalf', baseUrl: 'http://127.0.0.1:9' },
      fallback,
    },
  })
  onTestFinished(() => configured.stop())
  const { ana, until } = configured.slack
  await ana.opens('/shorten settings', 'The key is set by the person who runs Backhalf.')
  expect(texts(ana.modal())).toContain('`9876`')
  await expect(ana.presses('edit_domains')).rejects.toThrow('There is no')
  await ana.presses('disconnect')
  await until(() => ana.modal()?.view['callback_id'] === 'disconnect_form')
  await ana.submits()
  await ana.seesModal('is disconnected')
  await ana.closes()
  await ana.asks('/shorten https://example.com', { for: 'isn’t connected' })
})
