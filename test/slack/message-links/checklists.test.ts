import { expect, test } from 'vitest'
import {
  buildChecklist,
  readChecklist,
  startChecklist,
  type Checklist,
} from '../../../src/slack/message-links/checklists.ts'
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
const CHECKLIST: Checklist = {
  reply: REPLY,
  links: [
    { url: 'https://example.com/a?b=1&c=<2>|3', ticked: true },
    { url: 'https://example.com/صيف', ticked: false },
  ],
  leftOut: { short: 1, slack: 2, tooLong: 3 },
  more: 3,
  template: templateKey('Newsletter'),
  domain: 'dom_2',
  withQr: true,
}

test('shows a checklist as it is, so that read returns it', async () => {
  const templates = [{ name: 'Newsletter', values: { utm_source: 'newsletter' } }]
  const fake = fakePlatform({}, { templates })
  const domains = [
    { name: 'dom_1', domain_name: 'go.example.com' },
    { name: 'dom_2', domain_name: 'two.example.com' },
  ]
  const connection = async () => ({ apiKey: 'key', source: 'connected' as const, domains })
  const platform = { ...fake, linkService: { ...fake.linkService, connection } }
  const { leftOut } = CHECKLIST
  const started = startChecklist({ links: [], leftOut }, REPLY)
  expect(started).toMatchObject({ leftOut })
  const built = await buildChecklist(platform, CALLER, CHECKLIST)
  expect(JSON.stringify(built)).toContain('2 links to something in Slack, 3 links too long to be')
  expect(JSON.stringify(built)).toContain('There is no room here for 3 more links.')
  const view = submittedView(built)
  expect(readChecklist(platform, CALLER, view)).toEqual({
    ...CHECKLIST,
    links: [
      // In Slack’s markup, a | would end the link.
      { url: 'https://example.com/a?b=1&c=<2>%7C3', ticked: true },
      CHECKLIST.links[1],
    ],
  })
  const other = fakeCaller({ workspace: { id: 'T_TWO' } })
  expect(() => readChecklist(platform, other, view)).toThrow()
})
