import { expect, test } from 'vitest'
import { parseCount, parseName, parseTime } from '../../../src/service/admin/command.ts'

const NOW = Date.parse('2027-03-01T12:00:00.000Z')

test.each([
  ['90d', '2027-05-30T12:00:00.000Z'],
  ['2027-12-31', '2027-12-31T00:00:00.000Z'],
  ['2027-12-31T18:00', '2027-12-31T18:00:00.000Z'],
  ['2027-12-31T18:00:30Z', '2027-12-31T18:00:30.000Z'],
  ['2027-12-31T18:00+02:00', '2027-12-31T16:00:00.000Z'],
])('parses the time %s', (text, time) => {
  expect(new Date(parseTime(text, NOW)).toISOString()).toBe(time)
})

test.each(['', '90', '0d', '-1d', '2027-03-01', '2027-13-01', '31.12.2027', 'tomorrow'])(
  'rejects the time “%s”',
  (text) => {
    expect(() => parseTime(text, NOW)).toThrow(`“${text}” is not a time in the future.`)
  },
)

test('parses whole numbers from a minimum', () => {
  expect(parseCount('0', '--links', 0)).toBe(0)
  expect(parseCount('999999999', '--links', 0)).toBe(999_999_999)
  for (const text of ['0', '-1', '1.5', '1e3', '', '1000000000']) {
    expect(() => parseCount(text, '--rate', 1)).toThrow('--rate must be a whole number from 1')
  }
})

test('parses names of one line', () => {
  expect(parseName('  Acme & Söhne ')).toBe('Acme & Söhne')
  for (const text of ['', '  ', 'a\nb', 'x'.repeat(201)]) {
    expect(() => parseName(text)).toThrow('The name must be one line of 1 to 200 characters.')
  }
})
