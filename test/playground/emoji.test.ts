import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emoji } from '../../src/playground/page/mrkdwn/words.ts'

const SLACK = join(import.meta.dirname, '../../src/slack')

test('the playground shows every emoji that the app uses', () => {
  const used = globSync('**/*.ts', { cwd: SLACK }).flatMap((file) =>
    [...readFileSync(join(SLACK, file), 'utf8').matchAll(/[`'"]:([a-z_0-9]+):[ \\]/g)].map(
      ([, name = '']) => name,
    ),
  )
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => emoji(name) === `:${name}:`)).toEqual([])
})
