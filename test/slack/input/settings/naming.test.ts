import { expect, test } from 'vitest'
import { checkNaming } from '../../../../src/slack/input/settings/naming.ts'
import { SlackInputError } from '../../../../src/slack/input/slack-input-error.ts'

const FORM = { lowerCase: true, spaces: '-', sources: [''], mediums: [''] } as const

function faultsOf(form: Parameters<typeof checkNaming>[0]) {
  try {
    return checkNaming(form)
  } catch (error) {
    if (error instanceof SlackInputError) return error.faults
    throw error
  }
}

test('the lists are kept as the rules write them, without blank lines', () => {
  expect(checkNaming({ ...FORM, sources: [' News Letter \n\nSocial', 'X'] })).toEqual({
    lowerCase: true,
    spaces: '-',
    sources: ['news-letter', 'social', 'x'],
    mediums: [],
  })
})

test('what is too long, or there twice, is named at its input with its line', () => {
  const long = 'x'.repeat(76)
  expect(faultsOf({ ...FORM, sources: ['A'], mediums: ['email', `e\n${long}\nEmail`] })).toEqual([
    { field: 'allowed_mediums_2', message: 'Line 2: this is longer than 75 characters.' },
    { field: 'allowed_mediums_2', message: 'Line 3: “email” stands there already.' },
  ])
})

test('a list has at most a hundred values', () => {
  const lines = (count: number) => [Array.from({ length: count }, (_, at) => `v${at}`).join('\n')]
  expect(faultsOf({ ...FORM, sources: lines(100) })).toMatchObject({ lowerCase: true })
  expect(faultsOf({ ...FORM, sources: lines(101) })).toEqual([
    { field: 'allowed_sources', message: 'These are 101 values; there may be 100.' },
  ])
})
