import { describe, expect, test } from 'vitest'
import type { NamingRules } from '../../src/workspaces/settings.ts'
import {
  allowedValues,
  applyNaming,
  disallowedValues,
  effectiveUtm,
  findTemplateByName,
  listedValues,
  templateKey,
  filledUtm,
} from '../../src/workspaces/utm.ts'

const NONE: NamingRules = { lowerCase: false, spaces: null, sources: [], mediums: [] }
const STRICT: NamingRules = { ...NONE, lowerCase: true, spaces: '-' }

describe('applyNaming writes', () => {
  test.each<[string, NamingRules, string, string]>([
    ['lower case', { ...NONE, lowerCase: true }, 'Spring Sale', 'spring sale'],
    ['- for spaces', { ...NONE, spaces: '-' }, 'Spring Sale', 'Spring-Sale'],
    ['_ for spaces', { ...NONE, spaces: '_' }, 'Spring Sale', 'Spring_Sale'],
    ['one character for spaces of any width', STRICT, 'Spring \u00a0\u3000Sale', 'spring-sale'],
    ['nothing for spaces at the ends', STRICT, '  Sale ', 'sale'],
    ['lower case in other scripts', STRICT, 'ÉTÉ ΑΘΗΝΑ МОСКВА', 'été-αθηνα-москва'],
    ['a dotted i for I, even on a Turkish server', STRICT, 'INSTAGRAM', 'instagram'],
    ['emoji and right-to-left text unchanged', STRICT, '👩‍👩‍👧 تخفيضات', '👩‍👩‍👧-تخفيضات'],
    ['everything unchanged if there are no rules', NONE, 'Spring Sale', 'Spring Sale'],
  ])('%s', (_what, rules, typed, written) => {
    expect(applyNaming({ utm_campaign: typed }, rules)).toEqual({ utm_campaign: written })
  })

  test('all parameters', () => {
    const typed = { utm_id: 'A 1', utm_source: 'News', utm_medium: 'email', utm_term: 'Shoes' }
    const written = { utm_id: 'a-1', utm_source: 'news', utm_medium: 'email', utm_term: 'shoes' }
    expect(applyNaming(typed, STRICT)).toEqual(written)
  })

  test('no empty values', () => {
    expect(applyNaming({ utm_source: '  ', utm_medium: undefined }, STRICT)).toEqual({})
  })

  test('the same values if it is applied twice', () => {
    const once = applyNaming({ utm_source: 'İstanbul  ΟΔΟΣ' }, STRICT)
    expect(applyNaming(once, STRICT)).toEqual(once)
  })
})

describe('disallowedValues', () => {
  const lists = { ...STRICT, sources: ['News Letter'], mediums: ['email', 'Social'] }

  test.each<[string, NamingRules, Parameters<typeof disallowedValues>[0]]>([
    ['case and spaces', lists, { utm_source: 'NEWS letter', utm_medium: 'social' }],
    ['Unicode forms', { ...STRICT, sources: ['caf\u00e9'] }, { utm_source: 'Cafe\u0301' }],
    ['other parameters', lists, { utm_campaign: 'anything' }],
    ['empty lists', STRICT, { utm_source: 'anything', utm_medium: 'else' }],
    ['an empty value', lists, { utm_source: '' }],
  ])('ignores %s', (_what, rules, values) => {
    expect(disallowedValues(values, rules)).toEqual([])
  })

  test('returns what is not on the lists, and what is, as the rules write them', () => {
    expect(disallowedValues({ utm_source: 'Twitter', utm_medium: 'print' }, lists)).toEqual([
      { name: 'utm_source', list: 'sources', value: 'twitter', allowed: ['news-letter'] },
      { name: 'utm_medium', list: 'mediums', value: 'print', allowed: ['email', 'social'] },
    ])
  })

  test('distinguishes case if the rules keep it', () => {
    const rules = { ...NONE, mediums: ['email'] }
    expect(disallowedValues({ utm_medium: 'Email' }, rules)).toHaveLength(1)
  })
})

describe('the lists of allowed values', () => {
  const rules = { ...STRICT, sources: ['Poster', 'POSTER', 'R&D'] }

  test('are returned as the rules write them, each value once', () => {
    expect(allowedValues('utm_source', rules)).toEqual(['poster', 'r&d'])
    expect(allowedValues('utm_medium', rules)).toEqual([])
    expect(allowedValues('utm_campaign', rules)).toEqual([])
  })

  test('decide the spelling of the values that are on them', () => {
    const values = { utm_source: 'POSTER', utm_medium: 'tv', utm_id: '1' }
    expect(listedValues(values, rules)).toEqual({ utm_source: 'poster' })
    expect(listedValues({ utm_source: 'billboard' }, rules)).toEqual({})
  })
})

test('utmOf returns only the UTM parameters that have a value', () => {
  const values = { utm_source: 'a', utm_medium: '', utm_term: undefined, title: 'b' }
  expect(filledUtm(values)).toEqual({ utm_source: 'a' })
})

test('visitors arrive with the parameters of the destination, and with others that are turned on', () => {
  const destination_url = 'https://example.com/?utm_source=mail&utm_medium='
  const link = { destination_url, utm_source: 'social', utm_medium: 'post', utm_campaign: 'spring' }
  expect(effectiveUtm(link)).toEqual({ utm_source: 'mail', utm_campaign: 'spring' })
  expect(effectiveUtm({ ...link, utm_analytics_enabled: false })).toEqual({ utm_source: 'mail' })
})

test('template names are the same if only case, spaces or Unicode form differ', () => {
  const isSame = (one: string, other: string) =>
    findTemplateByName([{ name: one, values: {} }], other) !== undefined
  expect(isSame(' The  Newsletter', 'the newsletter')).toBe(true)
  expect(isSame('caf\u00e9', 'Cafe\u0301')).toBe(true)
  expect(isSame('Newsletter', 'Newsletters')).toBe(false)
})

test('a template key survives Slack, which escapes & in what it sends back', () => {
  expect(templateKey('R&D <newsletter>')).toMatch(/^[\w-]{22}$/)
  expect(templateKey('R&D')).not.toBe(templateKey('R&amp;D'))
})
