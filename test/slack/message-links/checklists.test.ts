import { expect, test } from 'vitest'
import {
  buildChecklist,
  checklistAgain,
  readChecklist,
} from '../../../src/slack/message-links/checklists.ts'
import { templateKey } from '../../../src/workspaces/utm.ts'
import { fakeCaller, fakePlatform, NO_LINK_SERVICE } from '../../support/platform.ts'
import { submittedView } from '../../support/submitted-view.ts'

const CALLER = fakeCaller()
const REPLY = {
  userId: 'U_ANA',
  responseUrl: 'https://hooks.example.com/1',
  threadTs: '1.0',
  inChannel: true,
}
const FOUND = {
  links: ['https://example.com/a?b=1&c=<2>|3', 'https://example.com/صيف'],
  leftOut: { short: 1, slack: 2, tooLong: 3 },
}

const domains = [
  { name: 'dom_1', domain_name: 'go.example.com' },
  { name: 'dom_2', domain_name: 'two.example.com' },
]
const connection = async () => ({ apiKey: 'key', source: 'connected' as const, domains })
const linkService = { ...NO_LINK_SERVICE, connection }

test('lists as many links as one answer has room for, and says so', async () => {
  const links = Array.from({ length: 100 }, (_, at) => `https://example.com/${at}`)
  const built = await buildChecklist(
    fakePlatform({ linkService }),
    CALLER,
    { ...FOUND, links },
    REPLY,
  )
  const text = JSON.stringify(built)
  expect(text).toContain('There is no room here for 70 more links. Shorten them one by one.')
  expect(text).toContain('https://example.com/29')
  expect(text).not.toContain('https://example.com/30')
})

test('reads what the user chose in a checklist, also after it was built again', async () => {
  const templates = [{ name: 'Newsletter', values: { utm_source: 'newsletter' } }]
  const platform = fakePlatform({ linkService }, { templates, qr: { enabled: true } })
  const built = await buildChecklist(platform, CALLER, FOUND, REPLY)
  expect(JSON.stringify(built)).toContain('2 links to something in Slack, 3 links too long to be')
  const chosen = {
    reply: REPLY,
    urls: ['https://example.com/a?b=1&c=<2>%7C3'], // In Slack’s markup, a | would end the link.
    template: templateKey('Newsletter'),
    domain: 'dom_2',
    withQr: true,
  }
  const view = submittedView(built, {
    'checklist:1': { selected_options: [] },
    template: { selected_option: { value: chosen.template } },
    domain: { selected_option: { value: chosen.domain } },
  })
  expect(readChecklist(platform, CALLER, view)).toEqual(chosen)
  const again = checklistAgain(view, ['Something is wrong.'])
  expect(JSON.stringify(again)).toContain('2 links to something in Slack, 3 links too long to be')
  expect(readChecklist(platform, CALLER, submittedView(again))).toEqual(chosen)
  const other = fakeCaller({ workspace: { id: 'T_TWO' } })
  expect(() => readChecklist(platform, other, view)).toThrow()
})
