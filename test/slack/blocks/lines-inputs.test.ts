import { expect, test } from 'vitest'
import { inputTexts, linesInputs } from '../../../src/slack/blocks/lines-inputs.ts'

const MORE = { hint: 'One a line.', placeholder: 'x', required: true }

test('a few lines stand in one input, none in an empty one', () => {
  expect(inputTexts(['a', 'b'])).toEqual(['a\nb'])
  expect(inputTexts([])).toEqual([''])
})

test('what is too long for one input goes on in others, with room to type more', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(329, 'x'))
  const texts = inputTexts(lines)
  expect(texts.filter(Boolean).join('\n').split('\n')).toEqual(lines)
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(2_500)
  expect(texts.at(-1)?.length).toBeLessThanOrEqual(2_000)
  expect(inputTexts(['x'.repeat(2_100)])).toHaveLength(2)
})

test('each input has a block_id and a label of its own, the first says how it is filled in', () => {
  const inputs = linesInputs('domains', ['a', 'b'], MORE)
  expect(inputs.map(({ block_id, label, hint }) => [block_id, label.text, hint?.text])).toEqual([
    ['domains', 'Domains', 'One a line.'],
    ['domains_2', 'Domains (2)', undefined],
  ])
})

test('only a lone input is one that Slack insists on: of several, one may be emptied', () => {
  expect(linesInputs('domains', ['a'], MORE)[0]?.optional).toBe(false)
  expect(linesInputs('domains', ['a', 'b'], MORE).map(({ optional }) => optional)).toEqual([
    true,
    true,
  ])
})
