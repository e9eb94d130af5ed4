import type { KnownBlock } from '@slack/types'
import { describe, expect, test } from 'vitest'
import { createChecklists, type Checklist } from '../../../src/slack/message-links/checklists.ts'
import type { Settings } from '../../../src/workspaces/settings.ts'
import { templateKey } from '../../../src/workspaces/utm.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'
import { submittedView } from '../../support/submitted-view.ts'

const CALLER = fakeCaller()
const REPLY = {
  userId: 'U_ANA',
  responseUrl: 'https://hooks.example.com/1',
  threadTs: '1.0',
  inChannel: true,
}
const NONE_LEFT_OUT = { short: 0, slack: 0, tooLong: 0 }
const CHECKLIST: Checklist = {
  reply: REPLY,
  links: [
    { url: 'https://example.com/a?b=1&c=<2>|3', ticked: true },
    { url: 'https://example.com/صيف', ticked: false },
  ],
  leftOut: NONE_LEFT_OUT,
  more: 0,
  template: templateKey('Newsletter'),
  domain: 'dom_2',
  withQr: true,
}

function checklistsWith(settings: Partial<Settings> = {}) {
  const platform = fakePlatform({}, settings)
  const domains = [
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'two.example.com' },
  ]
  const connection = async () => ({ apiKey: 'key', source: 'connected' as const, domains })
  return createChecklists({ ...platform, linkService: { ...platform.linkService, connection } })
}

const urls = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `https://example.com/${index}`)

/** The texts of a view's sections and contexts. */
const textsOf = (blocks: KnownBlock[]): unknown[] =>
  blocks.flatMap((block) => {
    if (block.type === 'section') return [block.text?.text]
    return block.type === 'context' ? block.elements.map((one) => 'text' in one && one.text) : []
  })

describe('start', () => {
  test('selects every link, and asks for QR codes as the workspace’s settings do', async () => {
    const found = { links: urls(2), leftOut: { short: 1, slack: 2, tooLong: 3 } }
    const checklists = checklistsWith({ qr: { enabled: false } })
    expect(await checklists.start(CALLER, found, REPLY)).toEqual({
      reply: REPLY,
      links: [
        { url: 'https://example.com/0', ticked: true },
        { url: 'https://example.com/1', ticked: true },
      ],
      leftOut: { short: 1, slack: 2, tooLong: 3 },
      more: 0,
      template: undefined,
      domain: undefined,
      withQr: false,
    })
  })
})

describe('build', () => {
  test('shows the links as they are, so that read returns them', async () => {
    const templates = [{ name: 'Newsletter', values: { utm_source: 'newsletter' } }]
    const checklists = checklistsWith({ templates })
    const view = submittedView(await checklists.build(CALLER, CHECKLIST))
    expect(checklists.read(CALLER, view)).toEqual({
      ...CHECKLIST,
      links: [
        // In Slack’s markup, a | would end the link.
        { url: 'https://example.com/a?b=1&c=<2>%7C3', ticked: true },
        CHECKLIST.links[1],
      ],
    })
    const other = fakeCaller({ workspace: { id: 'T_TWO' } })
    expect(() => checklists.read(other, view)).toThrow()
  })

  test('shows what went wrong, what is left out, and that everyone sees the answer', async () => {
    const { blocks } = await checklistsWith().build(
      CALLER,
      { ...CHECKLIST, leftOut: { short: 1, slack: 2, tooLong: 1 }, more: 3 },
      ['Not <that>.'],
    )
    expect(textsOf(blocks as KnownBlock[])).toEqual([
      ':warning: Not &lt;that&gt;.',
      'Which links in the message do you want to shorten?',
      '<https://example.com/a?b=1&amp;c=&lt;2&gt;%7C3|example.com/a?b=1&amp;c=%3C2%3E¦3>',
      '<https://example.com/صيف|example.com/صيف>',
      'Left out: 1 link already short, 2 links to something in Slack, 1 link too long to be listed.',
      'There is no room here for 3 more links. Shorten them one by one.',
      'The short links are posted as one reply to the message, where everyone sees it.',
    ])
  })
})
