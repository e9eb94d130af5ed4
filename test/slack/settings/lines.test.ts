import { expect, test } from 'vitest'
import { inputTexts, linesInputs, linesOf, textsOf } from '../../../src/slack/settings/lines.ts'

const OPTIONS = { hint: 'One per line.', placeholder: 'x', required: true }

test('puts a few lines into one input, and no lines into an empty one', () => {
  expect(inputTexts(['a', 'b'])).toEqual(['a\nb'])
  expect(inputTexts([])).toEqual([''])
})

test('continues a long list in further inputs, and leaves room to type', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(329, 'x'))
  const texts = inputTexts(lines)
  expect(texts.filter(Boolean).join('\n').split('\n')).toEqual(lines)
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(2_500)
  expect(texts.at(-1)?.length).toBeLessThanOrEqual(2_000)
  expect(inputTexts(['x'.repeat(2_100)])).toHaveLength(2)
})

test('gives each input its own block_id and label, and only the first one a hint', () => {
  const inputs = linesInputs('domains', ['a', 'b'], OPTIONS)
  expect(inputs.map(({ block_id, label, hint }) => [block_id, label.text, hint?.text])).toEqual([
    ['domains', 'Domains', 'One per line.'],
    ['domains_2', 'Domains (2)', undefined],
  ])
})

test('lets Slack require a value only if there is a single input', () => {
  expect(linesInputs('domains', ['a'], OPTIONS)[0]?.optional).toBe(false)
  expect(linesInputs('domains', ['a', 'b'], OPTIONS).map(({ optional }) => optional)).toEqual([
    true,
    true,
  ])
})

test('reads the text of each input, and numbers the lines in each that are not blank', () => {
  const typed = (value: string) => ({ input: { type: 'plain_text_input', value } })
  const values = { domains: typed(' a \n\nb'), domains_2: typed('c'), title: typed('x') }
  expect(textsOf(values, 'domains')).toEqual(['a \n\nb', 'c'])
  expect(linesOf('domains', ['a \n\nb', 'c'])).toEqual([
    { field: 'domains', number: 1, text: 'a' },
    { field: 'domains', number: 3, text: 'b' },
    { field: 'domains_2', number: 1, text: 'c' },
  ])
})
