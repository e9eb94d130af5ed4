import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'
import { errorAnswer, expectError } from '../../support/web-client.ts'

let now = Date.now()
const { slack, app, client } = slackForEach({ now: () => now })

const plain = (text: string) => ({ type: 'plain_text' as const, text })
const MORE = { type: 'button' as const, action_id: 'more', text: plain('More') }

const modal = (title: string): ModalView => ({
  type: 'modal',
  title: plain(title),
  submit: plain('Send'),
  blocks: [{ type: 'actions', block_id: 'buttons', elements: [MORE] }],
})

async function trigger(): Promise<string> {
  await slack.ana.types('/shorten', { in: 'general' })
  return String(app.last().trigger_id)
}

async function open(title: string): Promise<string> {
  const { view } = await client.views.open({ trigger_id: await trigger(), view: modal(title) })
  return view?.id ?? ''
}

const titles = (): unknown[] =>
  slack.workspace
    .state(slack.ana.id)
    .modals.map(({ view }) => (view.title as { text: unknown }).text)

test('opens a view for the person behind the trigger', async () => {
  const trigger_id = await trigger()
  const { view } = await client.views.open({ trigger_id, view: modal('A form') })
  expect(view).toMatchObject({
    type: 'modal',
    title: { text: 'A form' },
    state: { values: {} },
    root_view_id: view?.id,
    previous_view_id: null,
    private_metadata: '',
    callback_id: '',
    app_id: 'A0PLAYGROUND',
  })
  expect(slack.ana.modal()?.id).toBe(view?.id)
  expect(slack.ben.modal()).toBeUndefined()
})

test('opens one view for a trigger, within three seconds', async () => {
  const trigger_id = await trigger()
  now += 3000
  await client.views.open({ trigger_id, view: modal('One') })
  await expectError(client.views.open({ trigger_id, view: modal('Two') }), 'exchanged_trigger_id')
  const late = await trigger()
  now += 3001
  await expectError(
    client.views.open({ trigger_id: late, view: modal('Late') }),
    'expired_trigger_id',
  )
  await expectError(
    client.views.open({ trigger_id: '1.2.3', view: modal('?') }),
    'invalid_trigger_id',
  )
})

test('updates an open view, and rejects an outdated hash', async () => {
  const view_id = await open('Before')
  const { view } = await client.views.update({ view_id, view: modal('After') })
  expect(titles()).toEqual(['After'])
  const stale = client.views.update({ view_id, hash: '1.2', view: modal('Stale') })
  await expectError(stale, 'hash_conflict')
  await client.views.update({ view_id, hash: view?.hash ?? '', view: modal('Fresh') })
  expect(titles()).toEqual(['Fresh'])

  await slack.ana.closes()
  await expectError(client.views.update({ view_id, view: modal('Gone') }), 'not_found')
})

test('opens up to three views above each other', async () => {
  await open('One')
  for (const title of ['Two', 'Three']) {
    await slack.ana.presses('More')
    const trigger_id = String(app.last().trigger_id)
    await client.views.push({ trigger_id, view: modal(title) })
  }
  expect(titles()).toEqual(['One', 'Two', 'Three'])
  await slack.ana.presses('More')
  const fourth = { trigger_id: String(app.last().trigger_id), view: modal('Four') }
  await expectError(client.views.push(fourth), 'push_limit_reached')
  await slack.ana.closes()
  expect(titles()).toEqual(['One', 'Two'])
})

test('rejects an invalid view with the reasons', async () => {
  const opened = client.views.open({ trigger_id: await trigger(), view: modal('x'.repeat(25)) })
  expect(await errorAnswer(opened)).toMatchObject({
    error: 'invalid_arguments',
    errors: [expect.stringContaining('<=24 characters [json-pointer:/view/title/text]')],
  })
})
