import { expect, test } from 'vitest'
import { SUBCOMMANDS } from '../../../src/slack/platform/caller.ts'
import { helpMessage } from '../../../src/slack/shorten/help.ts'

test('names every subcommand', () => {
  const help = JSON.stringify(helpMessage())
  for (const word of SUBCOMMANDS) expect(help).toMatch(new RegExp(`\`/shorten ${word}[ \`]`))
  expect(help).toContain('`template=')
})

test('shows the word that Backhalf does not know, escaped and cut', () => {
  const { blocks } = helpMessage(`<!channel>${'x'.repeat(300)}`)
  expect(blocks[0]).toEqual({
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: `:warning: Backhalf doesn’t know “&lt;!channel&gt;${'x'.repeat(189)}…”. Here is what you can type:`,
    },
  })
  expect(blocks.slice(1)).toEqual(helpMessage().blocks)
})
