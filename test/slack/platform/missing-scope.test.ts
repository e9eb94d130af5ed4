import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { texts } from '../../support/texts.ts'

const SCOPES = ['commands', 'chat:write', 'files:write', 'users:read']

let app: TestApp

beforeAll(async () => {
  app = await startApp({ slack: { scopes: SCOPES } })
})
afterAll(() => app.stop())

test('leaves the image out of the form without files:read, explains why, and makes links', async () => {
  const { ana, until, refusals } = app.slack
  await ana.opens('/shorten')
  await ana.presses('Add a custom preview')
  const view = await until(() => {
    const blocks = texts(ana.modal())
    return blocks.includes('preview_title') && blocks
  })
  expect(view).not.toContain('file_input')
  expect(view).toContain('You can add an image here once an admin allows Backhalf to read files.')
  ana.fills({ Destination: 'https://example.com/no-image', 'Preview title': 'Hello' })
  await ana.submits()
  await ana.gets('with a custom preview')
  expect(refusals()).toEqual([])
})

test('explains in the settings what is missing without users:read, and what to do', async () => {
  const scopes = SCOPES.filter((scope) => scope !== 'users:read')
  const limited = await startApp({ slack: { scopes } })
  const { ana } = limited.slack
  await ana.opens('/shorten settings', 'An admin can grant it by installing the app again')
  await limited.stop()
})

test('makes links without files:write, and says why there are no QR codes', async () => {
  const scopes = SCOPES.filter((scope) => scope !== 'files:write')
  const limited = await startApp({ slack: { scopes } })
  const { ana, until, refusals } = limited.slack
  const notAllowed = 'To show QR codes in Slack, Backhalf needs permission to upload files'
  await ana.types('/shorten https://example.com/no-code title=Spring', { in: 'general' })
  const answer = await until(() => ana.newest('general'))
  expect(texts(answer)).toContain(notAllowed)
  expect(texts(answer)).not.toContain('Show QR code')

  await ana.asks('/shorten list', { in: 'marketing', for: 'Spring' })
  await ana.chooses('Share, QR code, copy', { in: 'marketing' })
  await ana.seesModal('Copy as text')
  await ana.presses('Show QR code')
  await ana.seesModal(notAllowed)
  expect(refusals()).toEqual([])
  await limited.stop()
})
