import { expect, test } from 'vitest'
import { hexColor } from '../../src/contract/link-requests.ts'

test.each(['#1F4F46', '#ffffff'])('accepts %s as a color', (text) => {
  expect(hexColor.safeParse(text).success).toBe(true)
})

test.each(['1F4F46', '#12345g', '#1234567', 'red', ''])('rejects “%s” as a color', (text) => {
  expect(hexColor.safeParse(text).success).toBe(false)
})
