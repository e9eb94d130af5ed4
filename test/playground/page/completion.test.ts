import { expect, test } from 'vitest'
import { commandTyped, completions } from '../../../src/playground/page/completion.ts'

const shorten = { command: '/shorten', description: 'Shorten a link', usageHint: '[URL]' }
const share = { command: '/share', description: 'Share a link', usageHint: '' }
const commands = [shorten, share]

test.each([
  ['/', [shorten, share]],
  ['/sh', [shorten, share]],
  ['/SHO', [shorten]],
  ['/shorten', [shorten]],
  ['/shorten ', []],
  ['/x', []],
  ['hello /sh', []],
  ['', []],
])('completes %j with %j', (text, expected) => {
  expect(completions(text, commands)).toEqual(expected)
})

test.each([
  ['/shorten ', shorten],
  ['/shorten https://example.com', shorten],
  ['/shorten', undefined],
  ['/unknown x', undefined],
  ['say /shorten x', undefined],
])('finds in %j the command %j', (text, expected) => {
  expect(commandTyped(text, commands)).toBe(expected)
})
