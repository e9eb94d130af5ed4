import { execFileSync } from 'node:child_process'
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
      z.strictObject({ type: z.enum(['textarea', 'input']), id, attributes: label, validations }),
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

const step = z.looseObject({
  id: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
})
type Step = z.infer<typeof step>
const job = z.looseObject({
  needs: z.preprocess((value) => [value ?? []].flat(), z.array(z.string())),
  permissions: z.record(z.string(), z.string()).default({}),
  outputs: z.record(z.string(), z.string()).default({}),
  uses: z.string().optional(),
  steps: z.array(step).default([]),
})
const workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
})

const WORKFLOWS = ['ci', 'release'].map((name) => {
  const text = read(`.github/workflows/${name}.yml`)
  return { name, text, ...workflow.parse(parse(text)) }
})
const [ci, release] = WORKFLOWS
const jobs = release?.jobs ?? {}
const stepsOf = (jobName: string, action: string): Step[] =>
  (jobs[jobName]?.steps ?? []).filter(({ uses }) => uses?.startsWith(`${action}@`))

test.each(WORKFLOWS)('GitHub can run the workflow $name', async ({ name, text }) => {
  // GitHub’s parser imports its JSON schema without an import attribute, which only bundlers accept.
  const importAttributes = { type: 'json' }
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.json') ? { ...context, importAttributes } : context),
  })
  onTestFinished(() => hooks.deregister())
  const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } =
    await import('@actions/workflow-parser')
  const file = { name, content: text }
  const { context, value } = parseWorkflow(file, new NoOperationTraceWriter())
  if (value) await convertWorkflowTemplate(context, value)
  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([])
})

test.each(WORKFLOWS)(
  'the jobs and steps of the workflow $name use only outputs that exist',
  (file) => {
    for (const [name, { needs, outputs, steps }] of Object.entries(file.jobs)) {
      expect(Object.keys(file.jobs), name).toEqual(expect.arrayContaining(needs))
      const used = JSON.stringify([outputs, steps])
      for (const [, from = '', output = ''] of used.matchAll(/needs\.(\w+)\.outputs\.(\w+)/g)) {
        expect(needs, name).toContain(from)
        expect(Object.keys(file.jobs[from]?.outputs ?? {}), name).toContain(output)
      }
      const ids = steps.map(({ id }) => id)
      for (const [, from] of used.matchAll(/steps\.(\w+)\./g)) expect(ids, name).toContain(from)
    }
  },
)

test.each(WORKFLOWS)('the workflow $name uses actions only by their commit', ({ text }) => {
  const uses = [...text.matchAll(/uses: (?!\.\/)(.+)/g)].map(([, action]) => action)
  expect(uses.length).toBeGreaterThan(0)
  for (const action of uses)
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('CI runs the script that every submission must pass, also before a release', () => {
  const commands = Object.values(ci?.jobs ?? {}).flatMap(({ steps }) => steps.map(({ run }) => run))
  expect(commands).toContain('.ci/run')
  accessSync(join(ROOT, '.ci/run'), constants.X_OK)
  expect(ci?.on).toHaveProperty('workflow_call')
  expect(jobs['check']?.uses).toBe('./.github/workflows/ci.yml')
  expect(jobs['build']?.needs).toEqual(['check'])
})

test('only a tag of a version publishes, and each job has only the permissions that it needs', () => {
  expect(release?.on).toEqual({ push: { tags: ['v*'] } })
  expect(release?.permissions).toEqual({})
  const permissions = Object.entries(jobs).map(([name, one]) => [name, one.permissions])
  expect(Object.fromEntries(permissions)).toEqual({
    check: { contents: 'read' },
    build: { contents: 'read', packages: 'write' },
    publish: { packages: 'write', 'id-token': 'write', attestations: 'write' },
    notes: { contents: 'write' },
  })
})

test('a release builds one image for both processors, with its provenance and its list of packages', () => {
  const include = [
    { arch: 'amd64', runner: 'ubuntu-24.04' },
    { arch: 'arm64', runner: 'ubuntu-24.04-arm' },
  ]
  expect(jobs['build']).toMatchObject({ strategy: { matrix: { include } } })
  const [build] = stepsOf('build', 'docker/build-push-action')
  const platforms = 'linux/${{ matrix.arch }}'
  expect(build?.with).toMatchObject({ platforms, provenance: 'mode=max', sbom: true })
  for (const label of ['source', 'version', 'revision']) {
    expect(build?.with['labels']).toContain(`org.opencontainers.image.${label}=`)
  }
  const [attest] = stepsOf('publish', 'actions/attest')
  expect(attest?.with['subject-digest']).toBe('${{ steps.tag.outputs.digest }}')
})

test('the notes of a release name its image, and have its part of the changelog with links that work', () => {
  const image = `ghcr.io/o/r:1.1.0@sha256:${'a'.repeat(64)}`
  const notesOf = (version: string): string =>
    execFileSync(join(ROOT, '.github/release-notes'), [version, image], {
      input: [
        '## Unreleased\n\n- Later.\n',
        '## 1.1.0 – 2027-03-01\n\n### Added\n\n- [Tags](docs/guide.md#tags), as on [GitHub](https://github.com/).\n',
        '## 1.0.0 – 2026-11-22\n\n- Earlier.\n',
      ].join('\n'),
      env: { ...process.env, GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/r' },
      encoding: 'utf8',
      stdio: 'pipe',
    })
  const [toImage, changes] = notesOf('1.1.0').split('\n### Added\n\n')
  expect(toImage).toContain(`docker pull ${image}\n`)
  expect(changes).toBe(
    '- [Tags](https://github.com/o/r/blob/v1.1.0/docs/guide.md#tags), as on [GitHub](https://github.com/).\n',
  )
  expect(() => notesOf('0.0.9')).toThrow('CHANGELOG.md has no part about 0.0.9')
})

test('Dependabot updates everything that is pinned', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory: string }[]
  }
  const ecosystems = updates.map((update) => update['package-ecosystem'])
  expect(ecosystems).toEqual(['npm', 'docker', 'docker-compose', 'github-actions'])
  expect(new Set(updates.map(({ directory }) => directory))).toEqual(new Set(['/']))
  const manifest = JSON.parse(read('package.json')) as { devDependencies: { node: string } }
  expect(read('Dockerfile').match(/^FROM .+:.+$/gm)).toEqual([
    `FROM node:${manifest.devDependencies.node}-slim AS base`,
  ])
})

test('the latest version in the changelog is the version of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const lock = JSON.parse(read('package-lock.json')) as { version: string }
  const [, latest] = /^## (\d+\.\d+\.\d+)/m.exec(read('CHANGELOG.md')) ?? []
  expect({ package: version, lock: lock.version }).toEqual({ package: latest, lock: latest })
})
