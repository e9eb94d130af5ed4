import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '..')
const FORMS = join(ROOT, '.github/ISSUE_TEMPLATE')
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8')

const label = z.strictObject({
  label: z.string().min(1),
  description: z.string().optional(),
  placeholder: z.string().optional(),
  render: z.string().optional(),
})
const validations = z.strictObject({ required: z.boolean() }).optional()
const id = z.string().regex(/^[\w-]+$/)

/** What GitHub accepts as an issue form, as far as our forms use it. GitHub shows no form that it can't read. */
const issueForm = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1).max(200),
  labels: z.array(z.string()),
  body: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('markdown'),
        attributes: z.strictObject({ value: z.string().min(1) }),
      }),
      z.strictObject({ type: z.literal('textarea'), id, attributes: label, validations }),
      z.strictObject({ type: z.literal('input'), id, attributes: label, validations }),
      z.strictObject({
        type: z.literal('dropdown'),
        id,
        attributes: label.extend({ options: z.array(z.string()).min(1) }),
        validations,
      }),
    ]),
  ),
})

test.each(readdirSync(FORMS).filter((name) => name !== 'config.yml'))(
  'GitHub can show the issue form %s',
  (name) => {
    const { body } = issueForm.parse(parse(readFileSync(join(FORMS, name), 'utf8')))
    const ids = body.flatMap((field) => ('id' in field ? [field.id] : []))
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
  },
)

test('the workflow runs the script that every submission must pass', () => {
  const workflow = z
    .object({ jobs: z.record(z.string(), z.object({ steps: z.array(z.looseObject({})) })) })
    .parse(parse(read('.github/workflows/ci.yml')))
  const commands = Object.values(workflow.jobs).flatMap(({ steps }) => steps.map(({ run }) => run))
  expect(commands).toContain('.ci/run')
  accessSync(join(ROOT, '.ci/run'), constants.X_OK)
})

test('the latest version in the changelog is the version of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const lock = JSON.parse(read('package-lock.json')) as { version: string }
  const [, latest] = /^## (\d+\.\d+\.\d+)/m.exec(read('CHANGELOG.md')) ?? []
  expect({ package: version, lock: lock.version }).toEqual({ package: latest, lock: latest })
})
