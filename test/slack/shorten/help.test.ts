import { expect, test } from 'vitest'
import { UTM_PARAMETERS } from '../../../src/contract/link-fields.ts'
import { helpMessage } from '../../../src/slack/shorten/help.ts'

test('names every subcommand and every option', () => {
  const help = JSON.stringify(helpMessage())
  for (const word of ['list', 'connect', 'settings', 'disconnect', 'help']) {
    expect(help).toContain(`\`/shorten ${word}\``)
  }
  for (const option of ['title', 'domain', 'color', 'qr', 'template', ...UTM_PARAMETERS]) {
    expect(help).toContain(`\`${option}=`)
  }
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
