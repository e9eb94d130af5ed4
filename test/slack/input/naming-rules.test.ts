import { describe, expect, test } from 'vitest'
import { applyNaming, namingFaults } from '../../../src/slack/input/naming-rules.ts'
import type { NamingRules } from '../../../src/workspaces/settings.ts'

const NONE: NamingRules = { lowerCase: false, spaces: null, sources: [], mediums: [] }
const STRICT: NamingRules = { ...NONE, lowerCase: true, spaces: '-' }

describe('the rules write', () => {
  test.each<[string, NamingRules, string, string]>([
    ['lower case', { ...NONE, lowerCase: true }, 'Spring Sale', 'spring sale'],
    ['- for spaces', { ...NONE, spaces: '-' }, 'Spring Sale', 'Spring-Sale'],
    ['_ for spaces', { ...NONE, spaces: '_' }, 'Spring Sale', 'Spring_Sale'],
    ['one mark for a row of spaces of any width', STRICT, 'Spring \u00a0\u3000Sale', 'spring-sale'],
    ['no mark at the ends', STRICT, '  Sale ', 'sale'],
    ['letters of other scripts', STRICT, 'ÉTÉ ΑΘΗΝΑ МОСКВА', 'été-αθηνα-москва'],
    ['an I that has no dot in Turkish as everywhere', STRICT, 'INSTAGRAM', 'instagram'],
    ['emoji and right-to-left text as they are', STRICT, '👩‍👩‍👧 تخفيضات', '👩‍👩‍👧-تخفيضات'],
    ['nothing new where there are none', NONE, 'Spring Sale', 'Spring Sale'],
  ])('%s', (_what, rules, typed, written) => {
    const changed = written === typed.trim() ? [] : ['utm_campaign']
    expect(applyNaming({ utm_campaign: typed }, rules)).toEqual({
      values: { utm_campaign: written },
      changed,
    })
  })

  test('every parameter, and name those that they changed', () => {
    const typed = { utm_id: 'A 1', utm_source: 'News', utm_medium: 'email', utm_term: 'Shoes' }
    expect(applyNaming(typed, STRICT)).toEqual({
      values: { utm_id: 'a-1', utm_source: 'news', utm_medium: 'email', utm_term: 'shoes' },
      changed: ['utm_source', 'utm_term', 'utm_id'],
    })
  })

  test('nothing for what is empty', () => {
    expect(applyNaming({ utm_source: '  ', utm_medium: undefined }, STRICT)).toEqual({
      values: {},
      changed: [],
    })
  })

  test('the same again when they are applied twice', () => {
    const once = applyNaming({ utm_source: 'İstanbul  ΟΔΟΣ' }, STRICT)
    expect(applyNaming(once.values, STRICT)).toEqual({ values: once.values, changed: [] })
  })
})

describe('the lists of sources and mediums', () => {
  const lists = { ...STRICT, sources: ['News Letter'], mediums: ['email', 'Social'] }

  test('allow what is on them, however it is typed', () => {
    expect(namingFaults({ utm_source: 'NEWS letter', utm_medium: 'social' }, lists)).toEqual([])
  })

  test('allow letters that were typed in two ways', () => {
    const rules = { ...STRICT, sources: ['caf\u00e9'] }
    expect(namingFaults({ utm_source: 'Cafe\u0301' }, rules)).toEqual([])
  })

  test('refuse what is not on them, at its field, and say what is', () => {
    expect(namingFaults({ utm_source: 'Twitter', utm_medium: 'print' }, lists)).toEqual([
      {
        field: 'utm_source',
        message: '“twitter” isn’t one of this workspace’s sources. Use “news-letter”.',
      },
      {
        field: 'utm_medium',
        message: '“print” isn’t one of this workspace’s mediums. Use “email” or “social”.',
      },
    ])
  })

  test('tell case apart where the rules keep it', () => {
    const rules = { ...NONE, mediums: ['email'] }
    expect(namingFaults({ utm_medium: 'Email' }, rules)).toHaveLength(1)
  })

  test('say nothing of what was left empty, of other parameters, or while they are empty', () => {
    expect(namingFaults({ utm_campaign: 'anything' }, lists)).toEqual([])
    expect(namingFaults({ utm_source: 'anything', utm_medium: 'else' }, STRICT)).toEqual([])
  })

  test('are named in a few words when they are long', () => {
    const sources = Array.from({ length: 100 }, (_, index) => `source-${index}`)
    const [fault] = namingFaults({ utm_source: 'x'.repeat(3000) }, { ...NONE, sources })
    expect(fault?.message).toContain('“source-9” or one of 90 more.')
    expect(fault?.message.length).toBeLessThan(400)
  })
})
