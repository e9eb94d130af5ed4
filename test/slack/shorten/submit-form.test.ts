import { expect, test, vi } from 'vitest'
import type { ReplyTarget } from '../../../src/slack/platform/caller.ts'
import { SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import { DuplicateError } from '../../../src/slack/shorten/duplicate/duplicate-error.ts'
import { createDuplicates } from '../../../src/slack/shorten/duplicate/duplicates.ts'
import { createShortenForms, emptyForm } from '../../../src/slack/shorten/form.ts'
import type { Shortener } from '../../../src/slack/shorten/shortener.ts'
import { submitShortenForm } from '../../../src/slack/shorten/submit-form.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'
import { fakeSubmission, submittedView } from '../../support/submitted-view.ts'

const REPLY: ReplyTarget = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }
const URL_TYPED = 'https://example.com/page'
const LINK = {
  shortlink: { destination_url: URL_TYPED, shortlink_url: 'https://go.example.com/x' },
  utm: {},
  qrColor: '#000000',
}

/** A form that Ana filled in and submitted, and everything that her submission leads to. */
async function setUp(
  create: Shortener['shorten'],
  {
    draft = {},
    settings = {},
    reply = REPLY,
    target = { userId: 'U_ANA' },
  }: {
    draft?: Record<string, string>
    settings?: Partial<Settings>
    reply?: ReplyTarget
    target?: ReplyTarget
  } = {},
) {
  const fake = fakePlatform({}, settings)
  const domains = [{ name: 'dom_1', domain_name: 'go.example.com' }]
  const refreshed: unknown[] = []
  const platform = {
    ...fake,
    linkService: {
      ...fake.linkService,
      connection: async () => ({ apiKey: 'key', source: 'connected' as const, domains }),
    },
    homeTab: { refresh: async (caller: unknown) => void refreshed.push(caller) },
  }
  const forms = createShortenForms(platform, {
    read: async () => undefined,
    save: async () => undefined,
  })
  const duplicates = createDuplicates(platform)
  const delivered: unknown[] = []
  const shorten = vi.fn(create)
  const shortener: Shortener = {
    shorten,
    deliver: async (_caller, to, link) => void delivered.push({ to, link }),
  }
  const caller = fakeCaller()
  const updates: string[] = []
  const update = vi.spyOn(caller.client.views, 'update').mockImplementation(async (options) => {
    updates.push(JSON.stringify(options.view))
    return { ok: true }
  })
  const form = { ...emptyForm(reply), draft: { destination_url: URL_TYPED, ...draft } }
  const view = submittedView(await forms.build(caller, form))
  const submission = fakeSubmission(caller, view, target)
  const submit = (): Promise<void> =>
    submitShortenForm(platform, { forms, shortener, duplicates }, submission)
  return { ...platform, submission, submit, shorten, delivered, refreshed, update, updates }
}

test('creates the link, closes the form, sends the link and refreshes the Home tab', async () => {
  const { submit, submission, shorten, delivered, refreshed } = await setUp(async () => LINK)
  await submit()
  expect(submission.acknowledged).toEqual([undefined])
  expect(shorten.mock.calls).toEqual([
    [
      submission.caller,
      { destination_url: URL_TYPED, domain: 'dom_1', qr_code_enabled: true },
      'V1',
    ],
  ])
  expect(delivered).toEqual([{ to: REPLY, link: LINK }])
  expect(refreshed).toEqual([submission.caller])
})

test('sends the link to the conversation that the user chose in the form', async () => {
  const target = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/chosen' }
  const { submit, delivered } = await setUp(async () => LINK, {
    reply: { userId: 'U_ANA' },
    target,
  })
  await submit()
  expect(delivered).toMatchObject([{ to: target }])
})

test('shows errors at their fields and sends nothing', async () => {
  const issues = [{ field: 'back_half', message: 'Taken.' }] as const
  const { submit, submission, delivered } = await setUp(async () => {
    throw new SlackInputError(issues)
  })
  await submit()
  expect(submission.acknowledged).toEqual([
    { response_action: 'errors', errors: { back_half: 'Taken.' } },
  ])
  expect(delivered).toEqual([])
})

test('shows what the naming rules change before it creates a link', async () => {
  const { submit, submission, shorten } = await setUp(async () => LINK, {
    draft: { utm_source: 'News' },
    settings: { naming: { lowerCase: true, spaces: null, sources: [], mediums: [] } },
  })
  await submit()
  expect(shorten).not.toHaveBeenCalled()
  const form = JSON.stringify(submission.acknowledged)
  expect(form).toContain('UTM source: News → news. Press Create to continue.')
  expect(form).toContain('"initial_value":"news"')
})

test('shows the existing link of a duplicate in the form, and adds its picture', async () => {
  const { submit, submission, clock, shown, delivered } = await setUp(async () => {
    throw new DuplicateError(LINK, { by: 'U_BEN', at: 0 })
  })
  const done = submit()
  await clock.endSleep(500)
  await done
  expect(submission.acknowledged).toMatchObject([
    { response_action: 'update', view: { callback_id: 'already_shortened', external_id: 'V1:h1' } },
  ])
  expect(shown).toMatchObject([{ how: 'update', view: { callback_id: 'already_shortened' } }])
  expect(JSON.stringify(shown)).toContain('slack_file')
  expect(delivered).toEqual([])
})

test('shows a duplicate at its field if the user typed more than a view can carry', async () => {
  const noise = Array.from({ length: 1_500 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
  ).join('')
  const { submit, submission } = await setUp(
    async () => {
      throw new DuplicateError(LINK, undefined)
    },
    { draft: { title: noise } },
  )
  await submit()
  expect(submission.acknowledged).toEqual([
    {
      response_action: 'errors',
      errors: {
        destination_url: 'This destination already has a short link: https://go.example.com/x',
      },
    },
  ])
})

test('asks to wait if the link takes longer than Slack waits, then shows it', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof LINK>()
  const { submit, submission, clock, updates, delivered } = await setUp(() => promise)
  const done = submit()
  await clock.endSleep(2_000)
  expect(delivered).toEqual([])
  resolve(LINK)
  await clock.endSleep(500)
  await done
  expect(JSON.stringify(submission.acknowledged)).toContain('Creating your link…')
  expect(updates).toEqual([expect.stringContaining('You also get it as a message')])
  expect(delivered).toEqual([{ to: REPLY, link: LINK }])
})

test('sends a late duplicate, with what the user typed, if the form is closed by then', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const { submit, update, clock, sent } = await setUp(() => promise, { draft: { title: 'Mine' } })
  const closed = Object.assign(new Error('not_found'), { data: { error: 'not_found' } })
  update.mockRejectedValue(closed)
  const done = submit()
  await clock.endSleep(2_000)
  reject(new DuplicateError(LINK, undefined))
  await clock.endSleep(500)
  await done
  expect(sent).toMatchObject([
    {
      target: REPLY,
      message: { text: 'This destination already has a short link: https://go.example.com/x' },
    },
  ])
  expect(JSON.stringify(sent[0]?.message)).toContain('Title: Mine')
})

test('sends a late failure to the user alone if the form is closed by then', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const { submit, update, clock, sent } = await setUp(() => promise, {
    draft: { title: 'Mine' },
    reply: { ...REPLY, threadTs: '1.0', inChannel: true },
  })
  update.mockRejectedValue(Object.assign(new Error('closed'), { data: { error: 'not_found' } }))
  const done = submit()
  await clock.endSleep(2_000)
  reject(new SlackInputError([{ field: 'back_half', message: 'Taken.' }]))
  await clock.endSleep(500)
  await done
  expect(sent).toMatchObject([{ target: { userId: 'U_ANA' } }])
  expect(sent[0]?.target).not.toHaveProperty('responseUrl')
  const message = JSON.stringify(sent[0]?.message)
  expect(message).toContain('Back-half: Taken.')
  expect(message).toContain('Destination: https://example.com/page\\nDomain: dom_1\\nTitle: Mine')
})
