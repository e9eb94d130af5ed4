import { expect, test } from 'vitest'
import { parseTags, tagKey, tagKeys, tagsError } from '../../src/contract/tags.ts'

test.each([
  ['print, Spring  sale,', ['print', 'Spring sale']],
  ['spring，été、2027،نو', ['2027', 'spring', 'été', 'نو']],
  ['Spring, SPRING, spring', ['Spring']],
  ['e\u0301te\u0301', ['été']],
  [' ,, #', []],
  ['#print, # Spring sale', ['print', 'Spring sale']],
  ['__proto__, 10, 9', ['10', '9', '__proto__']],
])('%j has the tags %j', (text, names) => {
  expect(parseTags(text)).toEqual(names)
  expect(tagsError(text)).toBeUndefined()
})

test.each([
  ['ÉTÉ', 'e\u0301te\u0301'],
  ['H\u0331', 'ẖ'],
  ['Spring sale', ' spring\t SALE'],
])('%j and %j are one tag', (one, other) => {
  expect(tagKey(one)).toBe(tagKey(other))
  expect(tagKeys(`a, ${one}`)).toBe(tagKeys(`${other},A`))
  expect(tagKeys(one)).not.toBe(tagKeys(`${other}, a`))
})

const NOT_A_TAG =
  'can’t be a tag. Use letters, digits, spaces, - and _, and separate tags with commas.'

test.each([
  ['a/b', `“a/b” ${NOT_A_TAG}`],
  ['ok, ##spring', `“#spring” ${NOT_A_TAG}`],
  ['🎉', `“🎉” ${NOT_A_TAG}`],
  ['a\0b', `“a\0b” ${NOT_A_TAG}`],
  ['a\u200bb', `“a\u200bb” ${NOT_A_TAG}`],
  ['\u3164', `“\u3164” ${NOT_A_TAG}`],
  ['\u0301', `“\u0301” ${NOT_A_TAG}`],
  [
    'x'.repeat(41),
    `The tag that starts with “${'x'.repeat(40)}” is too long. Use at most 40 characters.`,
  ],
  [Array.from({ length: 11 }, (_, at) => `t${at}`).join(), 'Use at most 10 tags.'],
])('%j is refused', (text, message) => {
  expect(tagsError(text)).toBe(message)
})

test('a link can have ten tags of forty characters of any script', () => {
  const tags = Array.from({ length: 10 }, (_, at) => `${at}${'ß'.repeat(39)}`)
  expect(tagsError(tags.join())).toBeUndefined()
})
