import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as writes from '../src/writes.ts'

test('every defined write is listed by the name of its function', () => {
  const sources = globSync('src/**/*.ts').map((file) => readFileSync(file, 'utf8'))
  const defined = sources.flatMap((source) =>
    [...source.matchAll(/^export const (\w+) = defineWrite\(/gm)].map(([, name]) => name),
  )
  expect(Object.keys(writes).toSorted()).toEqual(defined.toSorted())
  expect(Object.values(writes).map(({ run }) => run.name)).toEqual(Object.keys(writes))
})
