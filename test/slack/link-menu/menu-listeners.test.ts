import { expect } from 'vitest'
import type { LinkDetails } from '../../../src/port/links.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { toShownLink } from '../../../src/slack/block-kit/shown-link.ts'
import { shareModal } from '../../../src/slack/share/share-link.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, slack, ana, ben, until } = withApp()

test.beforeAll(async ({ app: _app }) => {
  for (const title of ['Winter', 'Spring']) {
    await ana.asks(
      `/shorten https://example.com/${title.toLowerCase()} ${title.toLowerCase()} title="${title} sale"`,
      { in: 'marketing', for: `${title} sale` },
    )
  }
})

async function listIn(channel: string): Promise<Message> {
  const seen = ben.sees(channel).length
  await ben.types('/shorten list', { in: channel })
  return until(() => ben.sees(channel)[seen])
}

/** The value of an option in the menu of the link with this title, by its text. */
function optionOf(blocks: unknown, title: string, text: string): string {
  const all = objects(blocks)
  const index = all.findIndex((one) => JSON.stringify(one).includes(title))
  const options = objects((all[index]?.['accessory'] as { options: unknown }).options)
  return String(options.find((one) => (one['text'] as { text: string }).text === text)?.['value'])
}

test('shares a link with everyone, in a channel that the app is not in', async () => {
  const list = await listIn('marketing')
  const share = optionOf(list.blocks, 'Winter sale', 'Copy, QR code, share…')
  await ben.chooses(share, { in: 'marketing', message: list })
  const sheet = await ben.seesModal('slack_file')
  expect(sheet).toContain('Winter sale')
  expect(sheet).toContain('leads to <https://example.com/winter|')
  expect(sheet).toContain('preformatted')
  await ben.submits()
  const isShared = (message: Message): boolean => texts(message).includes(`Shared by <@${ben.id}>`)
  const shared = await until(() => ana.sees('marketing').find(isShared))
  expect(shared.ephemeral).toBe(false)
  expect(texts(shared)).toContain('Winter sale')
  await ana.gets('slack_file', { in: 'marketing' })
})

test('says that a choice of an earlier version’s menu is gone, and what to type', async () => {
  const list = await listIn('general')
  const blocks = objects(JSON.parse(JSON.stringify(list.blocks).replaceAll('"clicks:', '"more:')))
  const { messages } = slack.workspace.parts
  const stored = messages.find('C0GENERAL000', list.ts)
  if (stored) messages.replace(stored, { text: list.text, blocks })
  const more = optionOf(blocks, 'Spring sale', 'Clicks, alert me…')
  await ben.chooses(more, { in: 'general', message: { ...list, blocks } })
  await ben.gets('To open the link’s current menu, type /shorten list.', { in: 'general' })
})

test('finds a link that new links have pushed to another page, in the list and in Home', async () => {
  const list = await listIn('general')
  const value = optionOf(list.blocks, 'Winter sale', 'Clicks, alert me…')
  await ben.opensHome()
  const home = await until(() => JSON.stringify(ben.home() ?? {}).includes('Winter') && ben.home())
  for (let number = 1; number <= 12; number++) {
    await ana.asks(`/shorten https://example.com/n${number} title="No. ${number}" qr=off`, {
      in: 'marketing',
      for: `No. ${number}*`,
    })
  }
  await ben.chooses(value, { in: 'general', message: list })
  await ben.seesModal('Winter sale')
  await ben.closes()
  await ben.chooses(optionOf(home['blocks'], 'Winter sale', 'Clicks, alert me…'), { in: 'home' })
  await ben.seesModal('Winter sale')
})

const LINK = {
  name: 'lnk_1',
  shortlink_url: 'https://go.example.com/x',
  destination_url: 'https://example.com/page',
}

test('a link is shared with its QR code if it was created with one', () => {
  const colorOf = (link: Partial<LinkDetails>) => toShownLink({ ...LINK, ...link }, 0).qrColor
  expect(colorOf({ qr_code_enabled: true })).toBe('#000000')
  expect(colorOf({ qr_code_enabled: true, qr_code_color: '#102030' })).toBe('#102030')
  expect(colorOf({ qr_code_enabled: false })).toBeUndefined()
})

test('a link that is too long to be shared can still be copied', () => {
  const shortlink_url = `https://go.example.com/${'x'.repeat(2_000)}`
  const sheet = JSON.stringify(shareModal({ ...LINK, shortlink_url }, 'follows'))
  expect(sheet).toContain('This link is too long to be shared from here.')
  expect(sheet).toContain('preformatted')
  expect(sheet).not.toContain('share_in')
})
