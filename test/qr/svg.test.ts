import { expect, test } from 'vitest'
import { create } from 'qrcode'
import { qrSvg } from '../../src/qr/svg.ts'

const SHORT_URL = 'https://go.example.com/Ab3dE9x'

test('the SVG is as wide as the code and its border, in the colour on white', async () => {
  const svg = await qrSvg(SHORT_URL, { color: '#1f4f46' })
  const width = create(SHORT_URL, { errorCorrectionLevel: 'M' }).modules.size + 8
  expect(svg).toContain(`viewBox="0 0 ${width} ${width}"`)
  expect(new Set(svg.match(/#[0-9a-f]{6}/g))).toEqual(new Set(['#ffffff', '#1f4f46']))
})
