import { expect, test } from 'vitest'
import { asObject, errorCode, isObject } from '../../src/values/unknown-values.ts'

test.each([
  [Object.assign(new Error('no file'), { code: 'ENOENT' }), 'ENOENT'],
  [new Error('no code'), undefined],
  [Object.assign(new Error('a number'), { code: 42 }), undefined],
  [{ code: 'ENOENT' }, undefined],
  [null, undefined],
])('reads the code of an error: %o', (error, code) => {
  expect(errorCode(error)).toBe(code)
})

test.each([[{ a: 1 }, true] as const, [[], false] as const, [null, false] as const])(
  'tells objects from arrays and other values: %o',
  (value, is) => {
    expect(isObject(value)).toBe(is)
    expect(asObject(value)).toEqual(is ? value : {})
  },
)
