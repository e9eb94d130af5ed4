import { expect, test } from 'vitest'
import { isScannable } from '../../src/qr/color.ts'

test.each(['#000000', '#1F4F46', '#ff0000', '#0000FF', '#777777', '#009900'])(
  '%s is dark enough on white',
  (color) => expect(isScannable(color)).toBe(true),
)

// A decoder loses the last three on white, though their contrast is 3:1 (test/qr/png.test.ts
// shows that it reads the palest that are accepted).
test.each(['#ffffff', '#ffff00', '#00ff00', '#787878', '#949494', '#999900', '#e57300'])(
  '%s is too pale on white',
  (color) => expect(isScannable(color)).toBe(false),
)

test('what is not written as #RRGGBB is not scannable', () => {
  expect(['', 'black', '#000', '#12345g', '#00000000'].map(isScannable)).toEqual(
    Array(5).fill(false),
  )
})
