import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Platform } from '../../../../src/slack/platform/platform.ts'
import { createSealedMetadata } from '../../../../src/slack/platform/sealed-metadata.ts'
import {
  createDuplicates,
  type DuplicateForm,
} from '../../../../src/slack/shorten/duplicate/duplicates.ts'
import { emptyForm } from '../../../../src/slack/shorten/form.ts'
import { fakeCaller, fakePlatform } from '../../../support/platform.ts'
import { submittedView } from '../../../support/submitted-view.ts'

const CALLER = fakeCaller()
const TARGET = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }
const LINK = {
  title: 'Spring',
  is_custom_preview: true,
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/spring',
  qrColor: '#1F4F46',
}
const DUPLICATE: DuplicateForm = {
  link: LINK,
  madeBy: { by: 'U_BEN', at: 5 },
  form: {
    ...emptyForm(TARGET),
    draft: { destination_url: 'EXAMPLE.com/page', back_half: 'mine', qr_code_enabled: true },
  },
  target: TARGET,
  viewKey: 'V1:h1',
}

function setUp(parts: Partial<Omit<Platform, 'clock'>> = {}) {
  const platform = fakePlatform(parts)
  return { ...platform, duplicates: createDuplicates(platform) }
}

const slackError = (error: string): Error => Object.assign(new Error(error), { data: { error } })

describe('the modal', () => {
  const platform = setUp()
  const { duplicates } = platform
  const build = (duplicate: DuplicateForm) => duplicates.modal(CALLER, duplicate)
  const submitted = (duplicate: DuplicateForm) => {
    const view = build(duplicate)
    if (!view) throw new Error('the modal does not fit in a view')
    return submittedView(view)
  }
  const read = (duplicate: DuplicateForm) => duplicates.read(CALLER, submitted(duplicate))

  test('is read back as it was built', () => {
    expect(read(DUPLICATE)).toEqual(DUPLICATE)
    const bare = {
      ...DUPLICATE,
      madeBy: undefined,
      link: {
        destination_url: 'EXAMPLE.com/page',
        shortlink_url: 'https://go.example.com/x',
      },
    }
    expect(read(bare)).toEqual(bare)
  })

  test('opened before an upgrade can still be read', () => {
    const { state } = DUPLICATE.form
    const { qrColor, ...shortlink } = LINK
    const sealed = createSealedMetadata(
      platform.keyring,
      'form of a link that is there already',
      z.object({}).loose(),
    ).seal(
      {
        existing: { shortlink, qrColor },
        made: DUPLICATE.madeBy,
        ...{ target: TARGET, viewKey: DUPLICATE.viewKey, state },
        draft: { back_half: 'mine', qr_code_enabled: true },
      },
      CALLER.workspace.id,
    )
    const view = { ...submitted(DUPLICATE), private_metadata: sealed }
    expect(platform.duplicates.read(CALLER, view)).toEqual(DUPLICATE)
  })

  test('carries a title only as far as it is shown', () => {
    const { link } = read({ ...DUPLICATE, link: { ...LINK, title: 'x'.repeat(1_000) } })
    expect(link.title).toBe(`${'x'.repeat(199)}…`)
  })
})

test('notify sends the link to the user alone, with what the user typed', async () => {
  const { duplicates, sent } = setUp()
  const target = { ...TARGET, threadTs: '1.0', inChannel: true }
  await duplicates.notify(CALLER, { ...DUPLICATE, target })
  expect(sent.map(({ target: to }) => to)).toEqual([{ userId: 'U_ANA' }])
  const message = JSON.stringify(sent)
  expect(message).toContain('Destination: EXAMPLE.com/page\\nBack-half: mine')
  expect(message).not.toContain('Change something')
})

describe('addPicture', () => {
  test('waits for the acknowledgement to arrive before it updates the modal', async () => {
    const { duplicates, clock, shown } = setUp()
    const done = duplicates.addPicture(CALLER, DUPLICATE)
    expect(clock.sleeping()).toEqual([500])
    expect(shown).toEqual([])
    await clock.endSleep(500)
    await done
    const withPicture = {
      ...duplicates.modal(CALLER, DUPLICATE, { slack_file: { id: 'F0123456789' } }),
      private_metadata: expect.any(String) as string,
    }
    expect(shown).toEqual([{ how: 'update', view: withPicture }])
  })

  test('tries again while Slack is still processing the picture', async () => {
    const refusals = [slackError('invalid_blocks'), slackError('invalid_blocks')]
    const { views, shown } = fakePlatform()
    const { duplicates, clock } = setUp({
      views: {
        ...views,
        update: (...args) => {
          const refusal = refusals.shift()
          return refusal ? Promise.reject(refusal) : views.update(...args)
        },
      },
    })
    const done = duplicates.addPicture(CALLER, DUPLICATE)
    for (const ms of [500, 500, 2_500]) await clock.endSleep(ms)
    await done
    expect(shown).toHaveLength(1)
  })

  test('logs a failure, because the user has the link already', async () => {
    const { views } = fakePlatform()
    const { duplicates, clock, logged } = setUp({
      views: { ...views, update: () => Promise.reject(slackError('internal_error')) },
    })
    const done = duplicates.addPicture(CALLER, DUPLICATE)
    await clock.endSleep(500)
    await done
    expect(logged).toEqual([
      expect.stringContaining('the QR picture could not be added to a modal'),
    ])
  })
})
