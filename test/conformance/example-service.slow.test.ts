import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { runConformance } from '../../src/conformance/run-conformance.ts'
import { withDirectory } from '../support/fixtures.ts'
import { freePort } from '../support/free-port.ts'

const { test, at } = withDirectory()

const DOCUMENT = join(import.meta.dirname, '../../docs/link-service.md')

test('the service in docs/link-service.md has at most 100 lines and breaks no rule', async () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? []
  expect(code.split('\n').length - 1).toBeLessThanOrEqual(100)
  await writeFile(at('service.mjs'), code)
  const port = String(await freePort())
  const apiKey = 'a-key-for-the-example'
  const env = { PORT: port, API_KEY: apiKey }
  const child = spawn(process.execPath, [at('service.mjs')], { env })
  onTestFinished(() => void child.kill())
  const errors: string[] = []
  child.stderr.on('data', (chunk) => errors.push(String(chunk)))
  await once(child.stdout, 'data')
  let out = ''
  const argv = ['--base-url', `http://127.0.0.1:${port}`, '--domain', 'go', '--yes', '--json']
  const exitCode = await runConformance(argv, {
    apiKey,
    out: (text) => (out += text),
    err: () => undefined,
  })
  const { rules } = JSON.parse(out) as { rules: { id: string; status: string }[] }
  expect(rules.filter(({ status }) => status === 'broken')).toEqual([])
  expect(rules.filter(({ status }) => status === 'holds').length).toBeGreaterThan(75)
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: [] })
})
