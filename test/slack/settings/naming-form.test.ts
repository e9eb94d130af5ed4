import { expect, test } from 'vitest'
import { namingForm, readNaming } from '../../../src/slack/settings/naming-form.ts'
import { DEFAULT_SETTINGS, type NamingRules } from '../../../src/workspaces/settings.ts'
import { issuesOf } from '../../support/issues.ts'
import { fakePlatform } from '../../support/platform.ts'
import { settingsPlatform } from './settings-platform.ts'

const NONE: NamingRules = { lowerCase: false, spaces: null, sources: [], mediums: [] }

/** Reads a form that asks for lower case and hyphens. */
function read(sources: string, mediums = ''): NamingRules {
  const option = { text: { type: 'plain_text' as const, text: '' } }
  return readNaming({
    lower_case: {
      input: { type: 'checkboxes', selected_options: [{ ...option, value: 'on' }] },
    },
    spaces: { input: { type: 'radio_buttons', selected_option: { ...option, value: 'hyphen' } } },
    allowed_sources: { input: { type: 'plain_text_input', value: sources } },
    allowed_mediums: { input: { type: 'plain_text_input', value: mediums } },
  })
}

test('reports values that are too long or listed twice, with the line', () => {
  const long = 'x'.repeat(76)
  expect(issuesOf(() => read('A', `email\n\n${long}\nEmail`))).toEqual([
    { field: 'allowed_mediums', message: 'Line 3: this is longer than 75 characters. Shorten it.' },
    { field: 'allowed_mediums', message: 'Line 4: “email” is listed twice. Remove one.' },
  ])
})

test('asks for a line for each value if a line has commas', () => {
  const message = 'Line 1: write each value on a line of its own, without commas.'
  expect(issuesOf(() => read('newsletter, email'))).toEqual([{ field: 'allowed_sources', message }])
})

test('allows at most a hundred values in a list', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `v${index}`).join('\n')
  expect(read(lines(100)).sources).toHaveLength(100)
  const message = 'There are 101 values, but at most 100 are allowed. Remove some.'
  expect(issuesOf(() => read(lines(101)))).toEqual([{ field: 'allowed_sources', message }])
})

test('tells the user if the list does not fit in the input', async () => {
  const view = async (count: number) => {
    const sources = Array.from({ length: count }, (_, index) => `${index}`.padEnd(75, 'x'))
    const stored = { ...DEFAULT_SETTINGS, naming: { ...NONE, sources } }
    const platform = settingsPlatform(fakePlatform({}, stored))
    return JSON.stringify(await namingForm.build(platform, { id: 'T1' }))
  }
  expect(await view(39)).not.toContain('too long for this form')
  expect(await view(40)).toContain('too long for this form')
})
