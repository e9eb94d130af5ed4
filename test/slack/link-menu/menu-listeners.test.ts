import { beforeAll, expect, test } from 'vitest'
import type { Message, SlackJson } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { startApp } from '../../support/app.ts'
import { shareApp } from '../../support/shared-app.ts'
import { texts } from '../../support/texts.ts'

const URL_OF_SPRING = 'https://example.com/spring'

const app = shareApp(startApp)

beforeAll(async () => {
  const { ana, until } = app.slack
  for (const title of ['Winter', 'Spring']) {
    await ana.types(
      `/shorten https://example.com/${title.toLowerCase()} ${title.toLowerCase()} title="${title} sale"`,
      { in: 'marketing' },
    )
    await until(() => texts(ana.newest('marketing')).includes(`${title} sale`))
  }
})

async function listIn(channel: string): Promise<Message> {
  const { ben, until } = app.slack
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
  const { ben, until } = app.slack
  const list = await listIn('general')
  const seen = ben.sees('general').length
  const value = optionOf(list.blocks, 'Spring sale', 'Show QR code')
  await ben.chooses(value, { in: 'general', message: list })
  await until(() => texts(ben.modal()).includes('slack_file'))
  expect(texts(ben.modal())).toMatch(/QR code for http:\/\/localhost:\d+\/spring/)
  await ben.closes()
  expect(ben.sees('general')).toHaveLength(seen)
  expect(ben.sees('general').find(({ ts }) => ts === list.ts)?.blocks).toEqual(list.blocks)
})

test('shows a link as text to copy', async () => {
  const { ben, until } = app.slack
  const list = await listIn('general')
  const value = optionOf(list.blocks, 'Spring sale', 'Copy as text')
  await ben.chooses(value, { in: 'general', message: list })
  await until(() => texts(ben.modal()).includes('preformatted'))
  const shown = objects(ben.modal()?.view['blocks']).flatMap(({ type, elements }) =>
    type === 'rich_text'
      ? objects(elements).flatMap((one) => objects(one['elements']).map(({ text }) => text))
      : [],
  )
  const shortUrl = expect.stringMatching(/^http:\/\/localhost:\d+\/spring$/) as string
  expect(shown).toEqual([shortUrl, expect.any(String)])
  expect(String(shown[1]).split('\n')).toEqual(['Spring sale', shortUrl, URL_OF_SPRING])
  await ben.closes()
})

test('shares a link with everyone, once however often the user chooses it, in a channel that the app is not in', async () => {
  const { ana, ben, until } = app.slack
  const list = await listIn('marketing')
  const share = optionOf(list.blocks, 'Winter sale', 'Share in channel')
  await ben.chooses(share, { in: 'marketing', message: list })
  await until(() => texts(ben.modal()).includes('The link has been shared.'))
  await ben.closes()
  await ben.chooses(share, { in: 'marketing', message: list })
  await until(() => texts(ben.modal()).includes('You have already shared this link here.'))
  await ben.closes()
  const isShared = (message: Message): boolean => texts(message).includes(`Shared by <@${ben.id}>`)
  const shared = ana.sees('marketing').filter(isShared)
  expect(shared).toHaveLength(1)
  expect(shared[0]?.ephemeral).toBe(false)
  expect(texts(shared[0])).toContain('Winter sale')
  await until(() => texts(ana.newest('marketing')).includes('slack_file'))
})

test('finds a link that sixty new links have pushed to another page, in the list and in Home', async () => {
  const { ana, ben, until } = app.slack
  const list = await listIn('general')
  const value = optionOf(list.blocks, 'Winter sale', 'Copy as text')
  await ben.opensHome()
  const home = await until(() => JSON.stringify(ben.home() ?? {}).includes('Winter') && ben.home())
  for (let number = 1; number <= 60; number++) {
    await ana.types(`/shorten https://example.com/n${number} title="No. ${number}" qr=off`, {
      in: 'marketing',
    })
    await until(() => texts(ana.newest('marketing')).includes(`No. ${number}*`))
  }
  await ben.chooses(value, { in: 'general', message: list })
  await until(() => texts(ben.modal()).includes('Winter sale\\n'))
  await ben.closes()
  await ben.chooses(optionOf(home['blocks'], 'Winter sale', 'Copy as text'), { in: 'home' })
  await until(() => texts(ben.modal()).includes('Winter sale\\n'))
  await ben.closes()
})
