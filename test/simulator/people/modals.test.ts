import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'

const TROUBLE = 'We had some trouble connecting. Try again?'

const { slack, app, client } = slackForEach()

const plain = (text: string) => ({ type: 'plain_text' as const, text })

const field = (block_id: string, words: string, element: object, optional = true) => ({
  type: 'input',
  block_id,
  optional,
  label: plain(words),
  element: { action_id: 'input', ...element },
})
const where = { response_url_enabled: true, default_to_current_conversation: true }
const FORM = {
  type: 'modal',
  callback_id: 'form',
  private_metadata: 'kept',
  title: plain('A form'),
  submit: plain('Send'),
  blocks: [
    field('url', 'Address', { type: 'url_text_input' }, false),
    field('note', 'Note', { type: 'plain_text_input', max_length: 5 }),
    field('where', 'Where', { type: 'conversations_select', ...where }),
    field('card', 'Card', { type: 'file_input', filetypes: ['png'], max_files: 1 }),
  ],
} as ModalView

async function open(): Promise<string> {
  await slack.ana.types('/shorten', { in: 'general' })
  const trigger_id = String(app.last().trigger_id)
  const opened = await client.views.open({ trigger_id, view: FORM })
  return opened.view?.id ?? ''
}

async function submit(): Promise<void> {
  slack.ana.fills({ url: 'https://example.com' })
  await slack.ana.submits()
}

test('sends the view with its values, and closes it on an empty response', async () => {
  const id = await open()
  slack.ana.fills({ Address: 'https://example.com', note: 'four' })
  slack.ana.uploads('Card', { name: 'card.png', bytes: Buffer.from('bytes') })
  await slack.ana.submits()

  expect(app.last()).toMatchObject({
    type: 'view_submission',
    user: { id: slack.ana.id, name: 'ana', team_id: 'T0PLAYGROUND' },
    team: { id: 'T0PLAYGROUND', domain: 'playground' },
    is_enterprise_install: false,
    trigger_id: expect.any(String) as unknown,
    view: {
      id,
      callback_id: 'form',
      private_metadata: 'kept',
      hash: expect.any(String) as unknown,
    },
    response_urls: [
      {
        block_id: 'where',
        action_id: 'input',
        channel_id: 'C0GENERAL000',
        response_url: expect.stringContaining('/hooks/') as unknown,
      },
    ],
  })
  const { view } = app.last() as { view: { state: { values: unknown } } }
  expect(view.state.values).toEqual({
    url: { input: { type: 'url_text_input', value: 'https://example.com' } },
    note: { input: { type: 'plain_text_input', value: 'four' } },
    where: { input: { type: 'conversations_select', selected_conversation: 'C0GENERAL000' } },
    card: {
      input: {
        type: 'file_input',
        files: [
          expect.objectContaining({
            name: 'card.png',
            mimetype: 'image/png',
            filetype: 'png',
            size: 5,
            url_private_download: expect.stringMatching(/\/files-pri\/.*\/card\.png$/) as unknown,
          }),
        ],
      },
    },
  })
  expect(slack.ana.modal()).toBeUndefined()
  expect(slack.refusals()).toEqual([])
})

test('sends a file of any type: `filetypes` only narrows the file picker', async () => {
  await open()
  slack.ana.fills({ url: 'https://example.com/' })
  slack.ana.uploads('card', { name: 'card.pdf', bytes: Buffer.from('bytes') })
  await slack.ana.submits()
  expect(app.last()).toMatchObject({
    view: { state: { values: { card: { input: { files: [{ filetype: 'pdf' }] } } } } },
  })
})

test('sends nothing if Slack’s client finds an error', async () => {
  await open()
  const before = app.requests.length
  slack.ana.fills({ url: 'example', note: 'abcdef' })
  await slack.ana.submits()
  expect(slack.ana.modal()?.errors).toEqual({
    url: 'Enter a valid URL, such as https://example.com.',
    note: 'This field can have at most 5 characters.',
  })
  slack.ana.fills({ url: null, note: null })
  const files = ['1.png', '2.png'].map((name) => ({ name, bytes: Buffer.from('bytes') }))
  slack.ana.uploads('card', ...files)
  await slack.ana.submits()
  expect(slack.ana.modal()?.errors).toEqual({
    url: 'Please complete this required field.',
    card: 'Choose only one file.',
  })
  expect(app.requests).toHaveLength(before)
})

test.each<[string, object]>([
  ['an error at another block', { response_action: 'errors', errors: { title: 'No.' } }],
  ['an empty list of errors', { response_action: 'errors', errors: {} }],
  ['an unknown response', { response_action: 'close' }],
  ['an unknown field', { response_action: 'errors', errors: { url: 'No.' }, text: 'hello' }],
  ['an invalid view', { response_action: 'update', view: { type: 'modal' } }],
])('shows trouble and records a refusal for %s', async (_name, json) => {
  await open()
  app.answerNext({ json })
  await submit()
  expect(slack.ana.modal()).toMatchObject({ errors: {}, trouble: TROUBLE })
  expect(slack.takeRefusals()).toMatchObject([{ where: 'ack' }])
})

test.each<[string, 'silent' | { status: number }, string]>([
  ['an app that does not respond in time', 'silent', 'operation_timeout'],
  ['an app that fails', { status: 500 }, 'http_error'],
])('shows trouble for %s, and lets the form be submitted again', async (_name, answer, error) => {
  await open()
  app.answerNext(answer)
  await submit()
  expect(slack.ana.modal()).toMatchObject({ trouble: TROUBLE, submitting: false })
  expect(slack.takeRefusals()).toMatchObject([{ where: 'ack', error }])
  await slack.ana.submits()
  expect(slack.ana.modal()).toBeUndefined()
})
