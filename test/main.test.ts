import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { freePorts, withProgram } from './support/fixtures.ts'
import { outputWith } from './support/program.ts'

// Every test starts processes, and each can take several seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

const { test, at, run, outcome } = withProgram()

test('does not start with the default settings if .env can’t be read', async () => {
  await mkdir(at('.env'))
  const { code, out, err } = await outcome([], await freePorts())
  expect({ code, out }).toEqual({ code: 78, out: '' })
  expect(err).toBe(
    'The configuration is invalid:\n  - .env: can’t be read (EISDIR); let the user who runs Backhalf read it\n',
  )
})

test('lists every invalid setting and every misspelled name in .env, without their values', async () => {
  await writeFile(at('.env'), 'SLACK_BOT_TOKN=xoxb-hunter2\nHOST_FILE=/nowhere\nPORT=high\n')
  const { code, out, err } = await outcome([], { SLACK_BOT_TOKEN: 'hunter2' })
  expect({ code, out }).toEqual({ code: 78, out: '' })
  const unit = await readFile(join(import.meta.dirname, '../deploy/backhalf.service'), 'utf8')
  expect(unit).toContain('\nRestartPreventExitStatus=78\n')
  expect(err).toContain('.env: SLACK_BOT_TOKN is not a setting')
  expect(err.match(/is not a setting/g)).toHaveLength(1)
  expect(err).toContain('PORT: must be a port number')
  expect(err).toContain('SLACK_BOT_TOKEN: must be a complete bot token')
  expect(err).not.toContain('hunter2')
  expect(err).not.toContain('    at ')
})

test('opens the playground without any configuration, and stops on a signal', async () => {
  const env = await freePorts()
  const child = run([], env)
  const printed = await outputWith(child, '/playground/')
  expect(printed).toContain(`http://127.0.0.1:${env.PORT}/playground/`)
  expect((await fetch(`http://127.0.0.1:${env.PORT}/playground/`)).status).toBe(200)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
})
