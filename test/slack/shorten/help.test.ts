import { expect, test } from 'vitest'
import { SUBCOMMANDS } from '../../../src/slack/platform/caller.ts'
import { HELP_TOPICS, helpMessage } from '../../../src/slack/shorten/help.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test: appTest, slack, ana, ben, until } = withApp()

test('has five lines, and names every subcommand there or behind a button', () => {
  const { blocks } = helpMessage([])
  expect(blocks.map(({ type }) => type)).toEqual(['section', 'actions'])
  expect(JSON.stringify(blocks[0]).split('\\n')).toHaveLength(5)
  const help = JSON.stringify([blocks, HELP_TOPICS])
  for (const word of SUBCOMMANDS.filter((name) => name !== 'help')) {
    expect(help).toMatch(new RegExp(`\`/shorten ${word}[ \`]`))
  }
  expect(help).toContain('`template=')
})

test('shows the word that Backhalf does not know, escaped and cut', () => {
  const { blocks } = helpMessage([], `<!channel>${'x'.repeat(300)}`)
  expect(blocks[0]).toEqual({
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: `:warning: Backhalf doesn’t know “&lt;!channel&gt;${'x'.repeat(189)}…”. Here is what you can type:`,
    },
  })
  expect(blocks.slice(1)).toEqual(helpMessage([]).blocks)
})

appTest.each([
  ['Options', '`utm_source=newsletter`'],
  ['Lists and clicks', '/shorten clicks spring-sale'],
  ['Reports', '/shorten report spring-sale last week'],
  ['For admins', '/shorten settings'],
])('the button “%s” opens a modal with what it says', async (title, words) => {
  const message = await ana.asks('/shorten help', { for: 'For admins' })
  await ana.presses(title, { in: 'general', message })
  await ana.seesModal(words)
  expect(ana.modal()?.view).toMatchObject({ title: { text: title } })
})

appTest('shows the part for admins to admins, and if Slack doesn’t say who is one', async () => {
  const message = await ben.asks('/shorten lsit', { for: 'Did you mean `list`?' })
  expect(texts(message)).toContain('Lists and clicks')
  expect(texts(message)).not.toContain('For admins')
  slack.failNext('users.info', { error: 'internal_error' })
  await ben.types('/shorten help', { in: 'marketing' })
  await until(() => texts(ben.newest('marketing')).includes('For admins'))
})
