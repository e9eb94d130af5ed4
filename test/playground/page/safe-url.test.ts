import { expect, test } from 'vitest'
import { safeImage, safeLink } from '../../../src/playground/page/safe-url.ts'

test.each(['https://example.com/a?b=c#d', 'http://localhost:3001/x', 'mailto:ana@example.com'])(
  'accepts %s as a link',
  (url) => {
    expect(safeLink(url)).toBe(url)
  },
)

test.each(['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'data:,x', '//example.com', '', 7, null])(
  'rejects %j as a link and as an image',
  (url) => {
    expect([safeLink(url), safeImage(url)]).toEqual([undefined, undefined])
  },
)

test('accepts only http and https for images', () => {
  expect(safeImage('https://example.com/a.png')).toBe('https://example.com/a.png')
  expect(safeImage('mailto:ana@example.com')).toBeUndefined()
})
