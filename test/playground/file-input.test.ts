import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { focusOn, input, modal, pageTest, type OpenPage, type OpenView } from '../support/page.ts'

/** Taller than the window, so that the file is out of view when the form is submitted. */
const LONG_FORM = modal([
  input('Card', { type: 'file_input', filetypes: ['png', 'jpg'], max_files: 1 }),
  ...['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'].map((label) =>
    input(label, { type: 'plain_text_input' }, { optional: true }),
  ),
])

/** Opens the form in a window that shows a part of it. */
async function openForm(open: () => Promise<OpenPage>, openView: OpenView) {
  const { dialog, page } = await open()
  await page.setViewportSize({ width: 1000, height: 560 })
  await openView(LONG_FORM)
  await dialog.waitFor()
  return { dialog, card: dialog.getByLabel('Card') }
}

function choose(card: Locator, name: string, content: string | Buffer = 'content'): Promise<void> {
  return card.setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })
}

pageTest(
  'scrolls to a rejected file, marks it, and replaces it with another',
  async ({ open, openView, app }) => {
    const { dialog, card } = await openForm(open, openView)
    await choose(card, 'a.png')
    await dialog.getByText('a.png').waitFor()
    await dialog.getByLabel('Nine').focus()
    app.answerNext({ json: { response_action: 'errors', errors: { card: 'Not a real image.' } } })
    await dialog.getByRole('button', { name: 'Send' }).click()

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
    const chip = dialog.locator('.file-chip')
    expect(await borderOf(chip)).toBe(await borderOf(dialog.locator('.drop-zone')))

    await choose(card, 'b.jpeg')
    await dialog.getByText('b.jpeg').waitFor()
    expect(await dialog.getByText('a.png').count()).toBe(0)
    expect(await error.count()).toBe(0)
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.waitFor({ state: 'hidden' })
  },
)

pageTest('shows an error again when it is found again', async ({ open, openView, app }) => {
  const { dialog, card } = await openForm(open, openView)
  const answer = { json: { response_action: 'errors', errors: { card: 'Not a real image.' } } }
  app.answerNext(answer, answer)
  await choose(card, 'a.png')
  await dialog.getByText('a.png').waitFor()
  await dialog.getByRole('button', { name: 'Send' }).click()
  const error = dialog.getByText('Not a real image.')
  await error.waitFor()
  await choose(card, 'b.png')
  await dialog.getByText('b.png').waitFor()
  expect(await error.count()).toBe(0)

  await dialog.getByRole('button', { name: 'Send' }).click()
  await error.waitFor()
})

pageTest('rejects an unsuitable file at once', async ({ open, openView, app }) => {
  const { dialog, card } = await openForm(open, openView)
  app.answerNext({ json: { response_action: 'errors', errors: { card: 'Not a real image.' } } })
  await choose(card, 'a.png')
  await dialog.getByText('a.png').waitFor()
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('Not a real image.').waitFor()

  const errors = dialog.locator('.input-error')
  await choose(card, 'empty.png', '')
  await dialog.getByText('empty.png is empty. Choose another file.').waitFor()
  expect(await errors.count()).toBe(1)
  await choose(card, 'notes.txt')
  await dialog
    .getByText('notes.txt is not a supported type of file. Choose a PNG or JPG file.')
    .waitFor()
  await choose(card, 'large.png', Buffer.alloc(10 * 1024 * 1024 + 1))
  await dialog.getByText('large.png is too large. A file can be at most 10 MB.').waitFor()
  expect(await errors.count()).toBe(1)
  expect(await card.getAttribute('aria-invalid')).toBe('true')
})

/** An element of the page, with its styles. */
interface Styled {
  computedStyleMap: () => { get: (property: string) => unknown }
}

function borderOf(element: Locator): Promise<string> {
  return element.evaluate((one: Styled) => String(one.computedStyleMap().get('border-top-color')))
}
