import { expect, test } from 'vitest'
import { FIELD_SPECS } from '../../../src/contract/link-fields.ts'
import { parseCommandText } from '../../../src/slack/shorten/shorten-command.ts'
import { DRAFT_FIELDS } from '../../../src/slack/shorten/draft.ts'

const draftOf = (text: string) => parseCommandText(text).draft
const issuesIn = (text: string) => parseCommandText(text).issues

test('parses a link, a back-half and options in any order, with quotes of any kind', () => {
  const options = 'domain=go.example.com utm_campaign=“spring sale” template=“The newsletter” qr=on'
  expect(draftOf(`title="Spring sale" https://example.com/page spring ${options}`)).toEqual({
    destination_url: 'https://example.com/page',
    back_half: 'spring',
    title: 'Spring sale',
    domain: 'go.example.com',
    utm_campaign: 'spring sale',
    template: 'The newsletter',
    qr_code_enabled: true,
  })
})

test.each([
  ['a link alone', 'https://example.com/a?b=c&d=e#f', {}],
  ['Slack’s angle brackets', '<https://example.com/a?b=c&d=e#f|example.com>', {}],
  ['tag=', 'https://example.com/a?b=c&d=e#f tag=#print', { tags: '#print' }],
  ['colour=', 'https://example.com/a?b=c&d=e#f colour=#1F4F46', { qr_code_color: '#1F4F46' }],
])('accepts %s, and leaves the QR code to the settings', (_what, text, more) => {
  expect(draftOf(text)).toEqual({
    destination_url: 'https://example.com/a?b=c&d=e#f',
    ...more,
  })
})

test('turns the QR code off with qr=off, and leaves out an empty option', () => {
  expect(draftOf('https://example.com qr=off title=')).toEqual({
    destination_url: 'https://example.com',
    qr_code_enabled: false,
  })
})

const notUnderstood = (words: string) => ({
  message: `Backhalf didn’t understand ${words}. Put text with spaces in quotes, like title="Spring sale".`,
})

test('reports everything that it does not understand at once', () => {
  const options = DRAFT_FIELDS.flatMap((name) => FIELD_SPECS[name].option ?? []).join(', ')
  expect(issuesIn('https://example.com promo some more utm_capaign=x qr=maybe')).toEqual([
    { message: `There is no option “utm_capaign”. The options are ${options}, template.` },
    { field: 'qr_code_enabled', message: 'Write qr=on or qr=off.' },
    notUnderstood('“some”, “more”'),
  ])
})

test('understands the other words if a quote is never closed', () => {
  const text = 'https://example.com/page spring title="Spring sale'
  expect(parseCommandText(text)).toEqual({
    draft: {
      destination_url: 'https://example.com/page',
      back_half: 'spring',
      title: 'Spring sale',
    },
    issues: [{ message: 'A quote is never closed. Add one at the end of: title="Spring sale' }],
  })
})

test('reports an option that is set twice, and takes no word after an option for the back-half', () => {
  expect(issuesIn('https://example.com title=Spring sale title=b')).toEqual([
    { field: 'title', message: 'This is set twice. Remove one.' },
    notUnderstood('“sale”'),
  ])
})

test('explains how to shorten several links', () => {
  const links = 'https://example.com/a HTTPS://example.com/b <https://example.com/c|c>'
  const message =
    'A command takes one link, but this one has 3. Post them as a message and choose “Shorten this link” from its menu to shorten all of them.'
  expect(issuesIn(links)).toEqual([{ message }])
})
