import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { focusOn, input, modal, pageTest, requestWith } from '../support/page.ts'

/** Taller than the window, so that the file is out of view when the form is submitted. */
const LONG_FORM = modal([
  input('Card', { type: 'file_input', filetypes: ['png', 'jpg'], max_files: 1 }),
  ...['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'].map((label) =>
    input(label, { type: 'plain_text_input' }, { optional: true }),
  ),
])

function choose(card: Locator, name: string, content: string | Buffer = 'content'): Promise<void> {
  return card.setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })
}

pageTest('uploads, rejects, replaces and submits a file', async ({ open, openView, app }) => {
  const { dialog, page } = await open()
  await page.setViewportSize({ width: 1000, height: 560 })
  await openView(LONG_FORM)
  const card = dialog.getByLabel('Card')
  await choose(card, 'a.png')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByText('a.png').waitFor({ state: 'detached' })
  await focusOn(card)
  await choose(card, 'a.png')
  await dialog.getByText('a.png').waitFor()
  await dialog.getByLabel('Nine').focus()
  const answer = { json: { response_action: 'errors', errors: { card: 'Not a real image.' } } }
  app.answerNext(answer, answer)
  const send = dialog.getByRole('button', { name: 'Send' })
  await send.click()

  const error = dialog.getByText('Not a real image.')
  await error.waitFor()
  await focusOn(card)
  const [seen, body] = await Promise.all([
    error.boundingBox(),
    dialog.locator('.modal-body').boundingBox(),
  ])
  expect(seen?.y).toBeGreaterThanOrEqual(body?.y ?? NaN)
  expect((seen?.y ?? NaN) + (seen?.height ?? 0)).toBeLessThanOrEqual(
    (body?.y ?? NaN) + (body?.height ?? 0),
  )

  await choose(card, 'empty.png', '')
  await dialog.getByText('This file is empty.').waitFor()
  expect(await card.getAttribute('aria-invalid')).toBe('true')
  expect(await dialog.getByText('a.png').count()).toBe(0)

  await choose(card, 'b.jpeg')
  await dialog.getByText('b.jpeg').waitFor()
  await send.click()
  // The same error as before.
  await error.waitFor()
  app.requests.length = 0
  await choose(card, 'c.png', 'two')
  await dialog.getByText('c.png').waitFor()
  await send.click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await requestWith(app, { type: 'view_submission' })).toMatchObject({
    view: { state: { values: { card: { input: { files: [{ name: 'c.png', size: 3 }] } } } } },
  })
})
