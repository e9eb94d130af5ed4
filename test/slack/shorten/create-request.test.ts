import { expect, test } from 'vitest'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import { checkDraft } from '../../../src/slack/shorten/create-request.ts'
import { DEFAULT_SETTINGS } from '../../../src/workspaces/settings.ts'
import { issuesOf } from '../../support/issues.ts'

const RULES = {
  domains: [{ name: 'dom_1', domain_name: 'go.example.com' }],
  naming: DEFAULT_SETTINGS.naming,
  capabilities: SPECIFICATION,
  now: 0,
}

const PAGE = 'https://example.com/page'

const destinationOf = (destination_url: string): string =>
  checkDraft({ destination_url, qr_code_enabled: false }, RULES).destination_url

test.each([
  ['without a scheme', 'example.com/page', PAGE],
  ['with a port and no scheme', 'example.com:8080/page', 'https://example.com:8080/page'],
  ['relative to a scheme', '//example.com/page', PAGE],
  ['in capital letters', 'HTTP://EXAMPLE.COM/Page', 'HTTP://EXAMPLE.COM/Page'],
  ['after invisible characters', `\u200b\ufeff${PAGE}`, PAGE],
  ['before invisible characters', `${PAGE}\u200e \u2060`, PAGE],
])('accepts a link %s', (_name, typed, destination) => {
  expect(destinationOf(typed)).toBe(destination)
})

test.each([
  ...['example', 'https://', 'mailto:ana@example.com'].map((text) => [
    text,
    `“${text}” isn’t a link. Write it like https://example.com/page.`,
  ]),
  ['\u200b', 'Enter the link that you want to shorten.'],
  ['ftp://example.com/file', 'Only http:// and https:// links can be shortened.'],
])('refuses “%s” as a link', (typed, message) => {
  expect(issuesOf(() => destinationOf(typed))).toEqual([{ field: 'destination_url', message }])
})

test('reports every issue at its field', () => {
  const draft = {
    destination_url: 'https://example.com/?utm_id=1',
    domain: 'elsewhere.example',
    qr_code_enabled: true,
    qr_code_color: 'pale',
    utm_id: '2',
    utm_source: 'tv',
  }
  const naming = { ...RULES.naming, sources: ['poster'] }
  expect(issuesOf(() => checkDraft(draft, { ...RULES, naming }))).toEqual([
    {
      field: 'domain',
      message: '“elsewhere.example” isn’t one of this workspace’s domains. Use “go.example.com”.',
    },
    { field: 'qr_code_color', message: 'Write the color as #RRGGBB, like #1F4F46.' },
    {
      field: 'utm_id',
      message:
        'The link already has utm_id=1, which takes precedence. Remove it from the link, or leave this empty.',
    },
    { field: 'utm_source', message: '“tv” isn’t one of this workspace’s sources. Use “poster”.' },
  ])
})

test('sets the flag of each group that has a value', () => {
  const given = { destination_url: PAGE, qr_code_enabled: false }
  const made = { ...given, domain: 'dom_1' }
  const fields = { title: 'Spring', utm_source: 'newsletter', preview_title: 'Card' }
  const qr = { qr_code_enabled: true, qr_code_color: '#102030' }
  expect(checkDraft({ ...given, ...fields, ...qr, domain: 'GO.example.com' }, RULES)).toEqual({
    ...made,
    ...fields,
    ...qr,
    utm_analytics_enabled: true,
    is_custom_preview: true,
  })
  expect(checkDraft({ ...given, qr_code_color: 'pale' }, RULES)).toEqual(made)
  const preview_image = { id: 'F1', name: 'card.png' }
  expect(checkDraft({ ...given, preview_image }, RULES)).toEqual({
    ...made,
    is_custom_preview: true,
  })
})
