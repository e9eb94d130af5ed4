import { expect, test } from 'vitest'
import { pageLinkBlocks } from '../../../src/slack/pages/app-pages.ts'

const textOf = (...args: Parameters<typeof pageLinkBlocks>) =>
  pageLinkBlocks(...args).map((block) => block.type === 'context' && block.elements)

const shown = (text: string) => [[{ type: 'mrkdwn', text }]]

test('links to the app’s pages if it has a public https address', () => {
  expect(textOf('https://links.example.com/app/', {})).toEqual(
    shown(
      '<https://links.example.com/app/slack/|Help>  ·  <https://links.example.com/app/slack/support|Support>  ·  <https://links.example.com/app/slack/privacy|Privacy>',
    ),
  )
})

test('links to the operator’s support without such an address', () => {
  const supportUrl = 'https://help.example.com/?a=1&b=|2'
  const supportEmail = 'help@example.com'
  for (const publicUrl of [undefined, 'http://127.0.0.1:3000']) {
    expect(textOf(publicUrl, { supportUrl, supportEmail })).toEqual(
      shown('<https://help.example.com/?a=1&amp;b=%7C2|Support>'),
    )
    expect(textOf(publicUrl, { supportEmail })).toEqual(shown('<mailto:help@example.com|Support>'))
    expect(textOf(publicUrl, {})).toEqual([])
  }
})
