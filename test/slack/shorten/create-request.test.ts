import { describe, expect, test } from 'vitest'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import { templateIssues } from '../../../src/slack/shorten/draft.ts'
import { checkDraft } from '../../../src/slack/shorten/create-request.ts'
import { DEFAULT_SETTINGS } from '../../../src/workspaces/settings.ts'
import { issuesOf } from '../../support/issues.ts'

test('says that the workspace has no templates yet', () => {
  expect(templateIssues({ template: 'Flyer' }, DEFAULT_SETTINGS)).toEqual([
    {
      field: 'template',
      message:
        'There is no template “Flyer”. This workspace has none yet. An admin can add some with /shorten settings.',
    },
  ])
})

describe('checkDraft', () => {
  const RULES = {
    domains: [{ name: 'dom_1', domain_name: 'go.example.com' }],
    naming: DEFAULT_SETTINGS.naming,
    capabilities: SPECIFICATION,
    now: 0,
  }

  const destinationOf = (destination_url: string): string =>
    checkDraft({ destination_url, qr_code_enabled: false }, RULES).destination_url

  test.each([
    ['without a scheme', 'example.com/page', 'https://example.com/page'],
    ['with a port and no scheme', 'example.com:8080/page', 'https://example.com:8080/page'],
    ['relative to a scheme', '//example.com/page', 'https://example.com/page'],
    ['in capital letters', 'HTTP://EXAMPLE.COM/Page', 'HTTP://EXAMPLE.COM/Page'],
    [
      'after invisible characters',
      '\u200b\ufeffhttps://example.com/page',
      'https://example.com/page',
    ],
    [
      'before invisible characters',
      'https://example.com/page\u200e \u2060',
      'https://example.com/page',
    ],
  ])('accepts a link %s', (_name, typed, destination) => {
    expect(destinationOf(typed)).toBe(destination)
  })

  test.each([
    ['example', '“example” isn’t a link. Write it like https://example.com/page.'],
    ['https://', '“https://” isn’t a link. Write it like https://example.com/page.'],
    ['\u200b', 'Enter the link that you want to shorten.'],
    [
      'mailto:ana@example.com',
      '“mailto:ana@example.com” isn’t a link. Write it like https://example.com/page.',
    ],
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
      {
        field: 'utm_source',
        message: '“tv” isn’t one of this workspace’s sources. Use “poster”.',
      },
    ])
  })

  test('sets the flag of each group that has a value', () => {
    const draft = {
      destination_url: 'https://example.com/page',
      domain: 'GO.example.com',
      title: 'Spring',
      back_half: 'spring',
      utm_source: 'newsletter',
      preview_title: 'Card',
      qr_code_enabled: true,
      qr_code_color: '#102030',
    }
    expect(checkDraft(draft, RULES)).toEqual({
      destination_url: 'https://example.com/page',
      domain: 'dom_1',
      title: 'Spring',
      back_half: 'spring',
      utm_analytics_enabled: true,
      utm_source: 'newsletter',
      is_custom_preview: true,
      preview_title: 'Card',
      qr_code_enabled: true,
      qr_code_color: '#102030',
    })
    const bare = { destination_url: 'https://example.com/page', qr_code_enabled: false }
    expect(checkDraft({ ...bare, qr_code_color: 'pale' }, RULES)).toEqual({
      ...bare,
      domain: 'dom_1',
    })
    const preview_image = { id: 'F1', name: 'card.png' }
    expect(checkDraft({ ...bare, preview_image }, RULES)).toEqual({
      ...bare,
      domain: 'dom_1',
      is_custom_preview: true,
    })
  })
})
