import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Logger } from 'pino'
import { expect, test } from 'vitest'
import { createLogger, type LogConfig } from '../../src/config/logger.ts'

/** Returns the first chunk that a logger writes while `log` runs. */
async function written(config: LogConfig, log: (logger: Logger) => void): Promise<string> {
  const destination = new PassThrough({ encoding: 'utf8' })
  const chunk = once(destination, 'data') as Promise<[string]>
  log(createLogger(config, destination))
  return (await chunk)[0]
}

test('writes JSON, and hides secrets down to the third level', async () => {
  const call = { apiKey: 'k', headers: { authorization: 'a', accept: '*' } }
  const output = await written({ level: 'info', format: 'json' }, (logger) =>
    logger.info({ token: 't', call }),
  )
  expect(JSON.parse(output)).toMatchObject({
    token: '[secret]',
    call: { apiKey: '[secret]', headers: { authorization: '[secret]', accept: '*' } },
  })
})

test('writes nothing below the configured level', async () => {
  const output = await written({ level: 'warn', format: 'json' }, (logger) => {
    logger.info('hidden')
    logger.warn('shown')
  })
  expect(JSON.parse(output)).toMatchObject({ msg: 'shown' })
})

test('writes readable lines at a terminal, and hides secrets there too', async () => {
  const output = await written({ level: 'info', format: 'pretty' }, (logger) =>
    logger.info({ headers: { 'x-api-key': 'hunter2' } }, 'the app started'),
  )
  expect(output).toMatch(/INFO.*the app started/)
  expect(output).toContain('[secret]')
  expect(output).not.toContain('hunter2')
})

test('writes no characters with which a message could change the terminal', async () => {
  const text = 'a\u001b[2Jb\u009b2Jc\rd\u202ee C:\\runs\\u001b “f”\n    at g'
  const output = await written({ level: 'info', format: 'pretty' }, (logger) =>
    logger.info({ err: new Error(text), text }, text),
  )
  expect(output.replaceAll('\n', '')).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e]/)
  expect(output).toContain('a\ufffd[2Jb\ufffd2Jc\ufffdd\ufffde C:\\runs\\u001b “f”\n')
})
