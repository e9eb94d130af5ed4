import { expect, test } from 'vitest'
import { utmFillings } from '../../src/slack/utm-fillings.ts'
import { templateKey } from '../../src/slack/settings/template-key.ts'
import { DEFAULT_SETTINGS } from '../../src/workspaces/settings.ts'

const { naming } = DEFAULT_SETTINGS
const template = { name: 'last_used', values: { utm_source: 'News Letter' } }

test('the values used last come first, and are never taken for a template', () => {
  const recent = { utm_source: 'poster', utm_campaign: 'spring' }
  expect(utmFillings({ templates: [template], naming }, recent)).toEqual([
    { key: 'last_used', label: 'Last used: poster / spring', values: recent },
    { key: templateKey('last_used'), label: 'last_used', values: template.values },
  ])
})

test('who has used none is offered the templates alone', () => {
  expect(utmFillings({ templates: [], naming }, undefined)).toEqual([])
  expect(utmFillings({ templates: [], naming }, {})).toEqual([])
})

test('values are filled in as the naming rules write them now', () => {
  const rules = { ...naming, lowerCase: true, spaces: '-' as const }
  expect(utmFillings({ templates: [template], naming: rules }, undefined)).toMatchObject([
    { values: { utm_source: 'news-letter' } },
  ])
})
