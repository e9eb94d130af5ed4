import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBlocklist, type Blocklist } from '../../src/service/blocklist.ts'
import { call, postForm } from '../support/service-calls.ts'
import { startService } from '../support/service.ts'
import { makeTempDir } from '../support/temp-dir.ts'

let directory: Awaited<ReturnType<typeof makeTempDir>>
let path: string
const open: Blocklist[] = []

beforeEach(async () => {
  directory = await makeTempDir()
  path = join(directory.path, 'blocklist')
})
afterEach(async () => {
  for (const blocklist of open.splice(0)) blocklist.close()
  await directory.remove()
})

async function opened(text: string, lines: string[] = []): Promise<Blocklist> {
  await writeFile(path, text)
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const blocklist = await openBlocklist(path, logger, 20)
  open.push(blocklist)
  return blocklist
}

test.each([
  ['evil.example', true],
  ['EVIL.example.', true],
  ['www.evil.example', true],
  ['xn--mnchen-3ya.example', true],
  ['evil.example.org', false],
  ['notevil.example', false],
  ['example', false],
])('%s: blocked is %s', async (hostname, blocked) => {
  const blocklist = await opened('# deceivers\n\nEvil.Example # of all\nmünchen.example\n')
  expect(blocklist.blocks(hostname)).toBe(blocked)
})

test.each([
  'https://evil.example',
  'evil.example/path',
  'two words',
  '*.evil.example',
  '.evil.example',
])('a line “%s” is refused at the start, by its number', async (line) => {
  await expect(opened(`good.example\n${line}\n`)).rejects.toThrow(
    'line 2 of the blocklist (BLOCKLIST_PATH) is no hostname',
  )
})

test('a file that isn’t there is said to be the blocklist', async () => {
  const missing = openBlocklist('/nowhere/blocklist.txt', pino({ level: 'silent' }))
  await expect(missing).rejects.toThrow('BLOCKLIST_PATH names can’t be read: ENOENT')
})

test('a change counts without a restart, and a broken one changes nothing', async () => {
  const lines: string[] = []
  const blocklist = await opened('one.example\n', lines)
  await writeFile(path, 'one.example\ntwo.example\n')
  await expect.poll(() => blocklist.blocks('two.example')).toBe(true)
  await writeFile(path, 'https://\n')
  await expect.poll(() => lines.join('')).toContain('the earlier one stays in force')
  expect(blocklist.blocks('two.example')).toBe(true)
})

test('a link to a blocked hostname is neither made nor, made earlier, followed', async () => {
  await writeFile(path, '')
  const service = await startService({ blocklistPath: path })
  const create = (destination_url: string) =>
    postForm(service, { destination_url, domain: 'default', back_half: 'early' })
  expect((await create('https://www.evil.example/')).status).toBe(200)
  expect((await call(`${service.baseUrl}/early`)).status).toBe(302)

  await writeFile(path, 'evil.example\n')
  await expect
    .poll(async () => (await call(`${service.baseUrl}/early`)).status, { timeout: 8_000 })
    .toBe(410)
  expect((await call(`${service.baseUrl}/early`)).text).toContain('This link is blocked.')
  const refused = await create('https://evil.example/other')
  expect({ status: refused.status, body: refused.body }).toEqual({
    status: 422,
    body: {
      error: {
        message: 'Some fields can’t be accepted: destination_url.',
        status_code: 422,
        code: 'VALIDATION_ERROR',
        details: {
          fields: { destination_url: ['Links to this address are blocked on this service.'] },
        },
      },
    },
  })
  await service.close()
})
