import { expect } from 'vitest'
import type { Message, SlackJson } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const URL_OF_SPRING = 'https://example.com/spring'

const { test, ana, ben, until } = withApp()

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

/** The options of the menu of the link with this title. */
function menuOf(blocks: unknown, title: string): SlackJson[] {
  const block = objects(blocks).find((one) => JSON.stringify(one).includes(title))
  return objects((block?.['accessory'] as SlackJson | undefined)?.['options'])
}

/** The value of one of its options, by its text. */
function optionOf(blocks: unknown, title: string, text: string): string {
  const option = menuOf(blocks, title).find(
    (one) => (one['text'] as { text: string }).text === text,
  )
  return String(option?.['value'])
}

test('answers a choice in a link’s menu in a modal, because the end of a long list may be out of sight', async () => {
  const list = await listIn('general')
  const seen = ben.sees('general').length
  const value = optionOf(list.blocks, 'Spring sale', 'Show QR code')
  await ben.chooses(value, { in: 'general', message: list })
  await ben.seesModal('slack_file')
  expect(texts(ben.modal())).toMatch(/QR code for http:\/\/localhost:\d+\/spring/)
  await ben.closes()
  expect(ben.sees('general')).toHaveLength(seen)
  expect(ben.sees('general').find(({ ts }) => ts === list.ts)?.blocks).toEqual(list.blocks)
})

test('shows a link as text to copy', async () => {
  const list = await listIn('general')
  const value = optionOf(list.blocks, 'Spring sale', 'Copy as text')
  await ben.chooses(value, { in: 'general', message: list })
  await ben.seesModal('preformatted')
  const shown = objects(ben.modal()?.view['blocks']).flatMap(({ type, elements }) =>
    type === 'rich_text'
      ? objects(elements).flatMap((one) => objects(one['elements']).map(({ text }) => text))
      : [],
  )
  const shortUrl = expect.stringMatching(/^http:\/\/localhost:\d+\/spring$/) as string
  expect(shown).toEqual([shortUrl, expect.any(String)])
  expect(String(shown[1]).split('\n')).toEqual(['Spring sale', shortUrl, URL_OF_SPRING])
})

test('shares a link with everyone, once however often the user chooses it, in a channel that the app is not in', async () => {
  const list = await listIn('marketing')
  const share = optionOf(list.blocks, 'Winter sale', 'Share in channel')
  await ben.chooses(share, { in: 'marketing', message: list })
  await ben.seesModal('The link has been shared.')
  await ben.closes()
  await ben.chooses(share, { in: 'marketing', message: list })
  await ben.seesModal('You have already shared this link here.')
  await ben.closes()
  const isShared = (message: Message): boolean => texts(message).includes(`Shared by <@${ben.id}>`)
  const shared = ana.sees('marketing').filter(isShared)
  expect(shared).toHaveLength(1)
  expect(shared[0]?.ephemeral).toBe(false)
  expect(texts(shared[0])).toContain('Winter sale')
  await ana.gets('slack_file', { in: 'marketing' })
})

test('finds a link that new links have pushed to another page, in the list and in Home', async () => {
  const list = await listIn('general')
  const value = optionOf(list.blocks, 'Winter sale', 'Copy as text')
  await ben.opensHome()
  const home = await until(() => JSON.stringify(ben.home() ?? {}).includes('Winter') && ben.home())
  for (let number = 1; number <= 12; number++) {
    await ana.asks(`/shorten https://example.com/n${number} title="No. ${number}" qr=off`, {
      in: 'marketing',
      for: `No. ${number}*`,
    })
  }
  await ben.chooses(value, { in: 'general', message: list })
  await ben.seesModal('Winter sale\\n')
  await ben.closes()
  await ben.chooses(optionOf(home['blocks'], 'Winter sale', 'Copy as text'), { in: 'home' })
  await ben.seesModal('Winter sale\\n')
})
