import { expect, test } from 'vitest'
import { createHeldValues } from '../../../../src/playground/page/blocks/held-values.ts'

const ELEMENT = { type: 'plain_text_input', action_id: 'input' }
const BLOCKS = [{ type: 'input', block_id: 'name', element: ELEMENT }]
const typed = (value: string) => ({ type: 'plain_text_input', value })

test('what was put into a view is told to who draws it, and to nobody else', () => {
  const held = createHeldValues()
  const told: string[] = []
  const leave = held.watch('modal', () => told.push('modal'))
  held.watch('message', () => told.push('message'))

  held.hold('modal', 'name', ELEMENT, typed('Ana'))
  expect(told).toEqual(['modal'])
  leave()
  held.hold('modal', 'name', ELEMENT, typed('Ben'))
  expect(told).toEqual(['modal'])
  expect(held.of('modal', BLOCKS)).toEqual({ name: { input: typed('Ben') } })
  expect(held.of('message', BLOCKS)).toEqual({
    name: { input: { type: 'plain_text_input', value: null } },
  })
})
