import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { expect, test } from 'vitest'
import { SUBCOMMANDS } from '../../../src/slack/platform/commands.ts'
import { helpMessage, helpTopics } from '../../../src/slack/shorten/help.ts'
import { withApp } from '../../support/fixtures.ts'

const { test: appTest, ana } = withApp()

test('has five lines, and names every subcommand there or behind a button', () => {
  const { blocks } = helpMessage(ALL_OFFERS)
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'actions'])
  expect(JSON.stringify(blocks[0]).split('\\n')).toHaveLength(5)
  const help = JSON.stringify([blocks, helpTopics(ALL_OFFERS)])
  for (const word of SUBCOMMANDS.filter((name) => name !== 'help')) {
    expect(help).toMatch(new RegExp(`\`/shorten ${word}[ \`]`))
  }
  expect(help).toContain('`template=')
})

test('shows the word that Backhalf does not know, escaped and cut', () => {
  const { blocks } = helpMessage(ALL_OFFERS, [], `<!channel>${'x'.repeat(300)}`)
  expect(blocks[0]).toEqual({
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: `:warning: Backhalf doesn’t know “&lt;!channel&gt;${'x'.repeat(189)}…”. Here is what you can type:`,
    },
  })
  expect(blocks.slice(1)).toEqual(helpMessage(ALL_OFFERS).blocks)
})

appTest.each([
  ['Options', '`utm_source=newsletter`'],
  ['Lists and clicks', '/shorten clicks spring-sale'],
  ['Reports', '/shorten report spring-sale last week'],
  ['Many links', 'Import links from a file'],
  ['For admins', '/shorten settings'],
])('the button “%s” opens a modal with what it says', async (title, words) => {
  const message = await ana.asks('/shorten help', { for: 'For admins' })
  await ana.presses(title, { in: 'general', message })
  await ana.seesModal(words)
  expect(ana.modal()?.view).toMatchObject({ title: { text: title } })
})

test('has nothing that the link service can’t do', () => {
  const help = JSON.stringify([helpMessage(SPECIFICATION), helpTopics(SPECIFICATION)[1]])
  const words = ['list tag:', 'list clicks', 'edit', 'delete', 'dashboard', 'expires=', 'Reports']
  expect(words.filter((word) => help.includes(word))).toEqual([])
})
