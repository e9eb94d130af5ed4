import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'
import { errorAnswer } from '../../support/web-client.ts'

let now = Date.now()
const { slack, app, client } = slackForEach({ now: () => now })

function modal(title: string, more: Partial<ModalView> = {}): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: title },
    submit: { type: 'plain_text', text: 'Send' },
    blocks: [
      {
        type: 'actions',
        block_id: 'buttons',
        elements: [
          { type: 'button', action_id: 'more', text: { type: 'plain_text', text: 'More' } },
        ],
      },
    ],
    ...more,
  }
}

async function trigger(): Promise<string> {
  await slack.ana.types('/shorten', { in: 'general' })
  return String(app.last().trigger_id)
}

async function open(title: string, more?: Partial<ModalView>): Promise<string> {
  const { view } = await client.views.open({
    trigger_id: await trigger(),
    view: modal(title, more),
  })
  return view?.id ?? ''
}

const rejects = async (call: Promise<unknown>, error: string): Promise<void> =>
  expect(await errorAnswer(call)).toMatchObject({ error })

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
  await rejects(client.views.open({ trigger_id, view: modal('Two') }), 'exchanged_trigger_id')
  const late = await trigger()
  now += 3001
  await rejects(client.views.open({ trigger_id: late, view: modal('Late') }), 'expired_trigger_id')
  await rejects(client.views.open({ trigger_id: '1.2.3', view: modal('?') }), 'invalid_trigger_id')
})

test('updates an open view, and rejects an outdated hash', async () => {
  const view_id = await open('Before', { external_id: 'mine' })
  const { view } = await client.views.update({ view_id, view: modal('After') })
  expect(titles()).toEqual(['After'])
  await expect(
    client.views.update({ view_id, hash: '1.2', view: modal('Stale') }),
  ).rejects.toMatchObject({ data: { error: 'hash_conflict' } })
  await client.views.update({ view_id, hash: view?.hash ?? '', view: modal('Fresh') })
  expect(titles()).toEqual(['Fresh'])

  await slack.ana.closes()
  await rejects(client.views.update({ view_id, view: modal('Gone') }), 'not_found')
})

test('finds a view by its external id, which must be unique', async () => {
  await open('Mine', { external_id: 'mine' })
  await client.views.update({
    external_id: 'mine',
    view: modal('Still mine', { external_id: 'mine' }),
  })
  expect(titles()).toEqual(['Still mine'])
  const trigger_id = await trigger()
  await expect(
    client.views.open({ trigger_id, view: modal('Other', { external_id: 'mine' }) }),
  ).rejects.toMatchObject({ data: { error: 'duplicate_external_id' } })
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
  await expect(
    client.views.push({ trigger_id: String(app.last().trigger_id), view: modal('Four') }),
  ).rejects.toMatchObject({ data: { error: 'push_limit_reached' } })
  await slack.ana.closes()
  expect(titles()).toEqual(['One', 'Two'])
})

test('rejects an invalid view with the reasons', async () => {
  const view = modal('x'.repeat(25))
  await expect(client.views.open({ trigger_id: await trigger(), view })).rejects.toMatchObject({
    data: {
      error: 'invalid_arguments',
      response_metadata: {
        messages: [
          '[ERROR] Too big: expected string to have <=24 characters [json-pointer:/view/title/text]',
        ],
      },
    },
  })
})

test('publishes the Home tab for one person', async () => {
  const divider = { type: 'divider' } as const
  await client.views.publish({
    user_id: slack.ana.id,
    view: { type: 'home', blocks: [divider] },
  })
  expect(slack.ana.home()).toMatchObject({ type: 'home', blocks: [divider] })
  expect(slack.ben.home()).toBeUndefined()
})
