import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodePerson, parsePerson } from '../../src/contract/person.ts'
import { unicodeText } from '../support/unicode-text.ts'

test('reads a person from the header, and cuts a name that is too long', () => {
  expect(encodePerson({ id: 'T0TEST-U0ANA', name: 'Ana García' })).toBe(
    'T0TEST-U0ANA Ana%20Garc%C3%ADa',
  )
  const texts = fc.oneof(fc.string(), unicodeText({ maxLength: 300 }))
  fc.assert(
    fc.property(texts, texts, (id, name) => {
      fc.pre(!/\p{Cc}/u.test(id))
      const header = encodePerson({ id, name })
      if (header === undefined) return
      expect(header).toMatch(/^[!-~]+(?: [!-~]+)?$/)
      expect(header.length).toBeLessThanOrEqual(200)
      const read = parsePerson(header)
      expect(read?.id).toBe(id.toWellFormed())
      const shown = name.toWellFormed().replaceAll(/\p{Cc}/gu, '')
      expect(shown.startsWith(read?.name ?? '-')).toBe(true)
    }),
  )
})

test.each([
  '',
  ' ',
  ' Ana',
  'U0ANA Ana García',
  'U0ANA %',
  'U0ANA %00',
  'U0ANA Garc\u00c3\u00ada', // Node reads the bytes of raw UTF-8 as Latin-1.
  `U0ANA ${'a'.repeat(200)}`,
])('reads no person from %j', (header) => expect(parsePerson(header)).toBeUndefined())
