import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { gridPng } from '../../src/qr/png.ts'

/** The pixels of an image, a string per row: `#` where the color is, `.` where it is white. */
async function pixelsOf(size: number): Promise<string[]> {
  const png = await gridPng({
    cells: 3,
    size,
    color: '#1f4f46',
    isSet: (row, column) => row === column,
  })
  const { data, width, height } = PNG.sync.read(png)
  expect([width, height]).toEqual([size, size])
  const pixels = Array.from({ length: size * size }, (_, pixel) =>
    data.subarray(pixel * 4, pixel * 4 + 3).toString('hex') === '1f4f46' ? '#' : '.',
  ).join('')
  return Array.from({ length: size }, (_, row) => pixels.slice(row * size, (row + 1) * size))
}

test('draws one pixel per cell', async () => {
  expect(await pixelsOf(3)).toEqual(['#..', '.#.', '..#'])
})

test('enlarges cells, also by a fraction', async () => {
  expect(await pixelsOf(6)).toEqual(['##....', '##....', '..##..', '..##..', '....##', '....##'])
  expect(await pixelsOf(4)).toEqual(['##..', '##..', '..#.', '...#'])
})
