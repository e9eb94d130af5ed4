import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { toPng } from '../../src/qr/drawing.ts'

/** The pixels of a diagonal, a string per row: `#` where the color is, `.` where it is white. */
async function pixelsOf(scale: number, offset: number, size: number): Promise<string[]> {
  const data = Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
  const png = await toPng({ modules: { size: 3, data }, scale, offset, size, color: '#1f4f46' })
  const image = PNG.sync.read(png)
  expect([image.width, image.height]).toEqual([size, size])
  const pixels = Array.from({ length: size * size }, (_, pixel) =>
    image.data.subarray(pixel * 4, pixel * 4 + 3).toString('hex') === '1f4f46' ? '#' : '.',
  ).join('')
  return Array.from({ length: size }, (_, row) => pixels.slice(row * size, (row + 1) * size))
}

test('draws one pixel per module', async () => {
  expect(await pixelsOf(1, 0, 3)).toEqual(['#..', '.#.', '..#'])
})

test('enlarges modules', async () => {
  const rows = ['##....', '##....', '..##..', '..##..', '....##', '....##']
  expect(await pixelsOf(2, 0, 6)).toEqual(rows)
})

test('leaves the rest of the image white', async () => {
  expect(await pixelsOf(1, 1, 6)).toEqual([
    '......',
    '.#....',
    '..#...',
    '...#..',
    '......',
    '......',
  ])
})
