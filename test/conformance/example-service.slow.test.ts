import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runConformance } from '../../src/conformance/run-conformance.ts'
import { freePort } from '../support/free-port.ts'
import { makeTempDir } from '../support/temp-dir.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/link-service.md')

test('the service in docs/link-service.md has at most 100 lines and breaks no rule', async () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? []
  expect(code.split('\n').length - 1).toBeLessThanOrEqual(100)
  const directory = await makeTempDir()
  const file = join(directory.path, 'service.mjs')
  await writeFile(file, code)
  const port = String(await freePort())
  const apiKey = 'a key for the example'.replaceAll(' ', '-')
  const child = spawn(process.execPath, [file], { env: { PORT: port, API_KEY: apiKey } })
  const errors: string[] = []
  child.stderr.on('data', (chunk) => errors.push(String(chunk)))
  try {
    await once(child.stdout, 'data')
    let out = ''
    const argv = ['--base-url', `http://127.0.0.1:${port}`, '--domain', 'go', '--yes', '--json']
    const code = await runConformance(argv, {
      apiKey,
      out: (text) => (out += text),
      err: () => undefined,
    })
    const { rules } = JSON.parse(out) as { rules: { id: string; status: string }[] }
    expect(rules.filter(({ status }) => status === 'broken')).toEqual([])
    expect(rules.filter(({ status }) => status === 'holds').length).toBeGreaterThan(75)
    expect({ code, errors }).toEqual({ code: 0, errors: [] })
  } finally {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await directory.remove()
  }
})
