import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'

let app: TestApp

beforeAll(async () => {
  const scopes = ['commands', 'chat:write', 'files:write', 'im:write', 'users:read']
  app = await startApp({ slack: { scopes } })
})
afterAll(() => app.stop())

test('without files:read the form leaves the image out, says why, and works', async () => {
  const { ana, until, refusals } = app.slack
  await ana.types('/shorten', { in: 'general' })
  await until(() => ana.modal())
  await ana.presses('Custom preview')
  const view = await until(() => {
    const blocks = JSON.stringify(ana.modal()?.view['blocks'] ?? [])
    return blocks.includes('preview_title') && blocks
  })
  expect(view).not.toContain('file_input')
  expect(view).toContain('An admin can let the app read files')
  ana.fills({ Destination: 'https://example.com/no-image', 'Preview title': 'Hello' })
  await ana.submits()
  await until(() => JSON.stringify(ana.newest('general') ?? {}).includes('with a custom preview'))
  expect(refusals()).toEqual([])
})
