import { expect } from 'vitest'
import type { Message } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
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

const listIn = (channel: string) => ben.asks('/shorten list', { in: channel })

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
