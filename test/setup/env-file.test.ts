import { chmod, chown, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { expect } from 'vitest'
import { changeEnv, readEnvFile, writeEnvFile } from '../../src/setup/env-file.ts'
import { withDirectory } from '../support/fixtures.ts'

const { test, directory } = withDirectory()

const pathOf = (name: string): string => join(directory.path, name)
const modeOf = async (path: string): Promise<string> =>
  ((await stat(path)).mode & 0o777).toString(8)

test('changes values in place, and keeps comments and unknown lines', () => {
  const lines = (port: string, token: string) =>
    ['# Ours', `${port} # the proxy knows it`, '', token, 'A=b', 'not an assignment'].join('\n')
  const text = lines('PORT=3100', 'export SLACK_BOT_TOKEN="xoxb-old"')
  const changed = changeEnv(text, { PORT: '3200', SLACK_BOT_TOKEN: 'xoxb-new' })
  expect(changed).toBe(lines('PORT=3200', 'SLACK_BOT_TOKEN=xoxb-new'))
})

const HEADER = '# Written by npm run setup. docs/configuration.md lists all settings.\n'
const FOUR = { PORT: '4' }

test.each([
  ['writes a header in a new file', '', FOUR, `${HEADER}PORT=4\n`],
  ['adds new values at the end', 'A=1', FOUR, 'A=1\nPORT=4\n'],
  ['removes all lines of a value', 'PORT="1\n2"\nB=2\nPORT=3\n', { PORT: undefined }, 'B=2\n'],
  ['replaces the last line, which counts', 'PORT=1\nA=2\nPORT=3\n', FOUR, 'A=2\nPORT=4\n'],
  ['replaces a value in a file of its own', 'PORT_FILE=/run/p\nA=1\n', FOUR, 'A=1\nPORT=4\n'],
  ['leaves a commented-out assignment alone', '# PORT=1\n', FOUR, '# PORT=1\nPORT=4\n'],
])('%s', (_what, text, settings, changed) => {
  expect(changeEnv(text, settings)).toBe(changed)
})

test.each([
  ['a # that is no comment', 'postgres://a:b#c@host/db'],
  ['spaces at the ends', ' spaces '],
  ['single quotes', "it's"],
  ['single and double quotes', `it's "it"`],
  ['a backslash and an n', String.raw`a\nb`],
  ['a dollar sign', 'pa$$word$1'],
])('writes a value with %s so that it is read back', (_what, value) => {
  for (const text of ['A=1\n', 'DATABASE_URL=x\nA=1\n']) {
    const changed = changeEnv(text, { DATABASE_URL: value })
    expect(parse(changed)).toEqual({ A: '1', DATABASE_URL: value })
  }
})

test('refuses a value that can’t be quoted, without repeating it', () => {
  expect(() => changeEnv('', { DATABASE_URL: `'"\`` })).toThrow(
    new Error('DATABASE_URL can’t be written to .env: it contains all three kinds of quotes'),
  )
})

test('refuses to change a file in a way that changes other values', () => {
  // To dotenv, the quote ends in the last line.
  const text = 'A="open\nPORT=1\nB=close"\n'
  expect(changeEnv(text, { PORT: '2' })).toBe(`${text}PORT=2\n`)
})

test('reads values, and those that are in files of their own', async () => {
  await writeFile(pathOf('token'), 'xoxb-in-a-file\n')
  await writeFile(
    pathOf('.env'),
    `PORT=3100\nSLACK_BOT_TOKEN_FILE=${pathOf('token')}\nSLACK_APP_TOKEN_FILE=/nowhere\n`,
  )
  const { text, values } = await readEnvFile(pathOf('.env'))
  expect(text).toContain('PORT=3100')
  expect(values).toMatchObject({ PORT: '3100', SLACK_BOT_TOKEN: 'xoxb-in-a-file' })
  expect(values).not.toHaveProperty('SLACK_APP_TOKEN')
})

test('writes a file that only its owner can read, and leaves nothing else', async () => {
  expect(await writeEnvFile(pathOf('.env'), 'A=1\n')).toBeUndefined()
  expect(await readFile(pathOf('.env'), 'utf8')).toBe('A=1\n')
  expect(await modeOf(pathOf('.env'))).toBe('600')
  expect(await readdir(directory.path)).toEqual(['.env'])
})

test('keeps the earlier files, which become private as well', async () => {
  await writeFile(pathOf('.env'), 'first')
  await chmod(pathOf('.env'), 0o644)
  expect(await writeEnvFile(pathOf('.env'), 'second')).toBe(pathOf('.env.backup'))
  expect(await writeEnvFile(pathOf('.env'), 'third')).toBe(pathOf('.env.backup-2'))
  const contents = await Promise.all(
    ['.env', '.env.backup', '.env.backup-2'].map((name) => readFile(pathOf(name), 'utf8')),
  )
  expect(contents).toEqual(['third', 'first', 'second'])
  expect(await modeOf(pathOf('.env'))).toBe('600')
  expect(await modeOf(pathOf('.env.backup'))).toBe('600')
})

test('keeps a file readable for the group that alone can read it, such as that of the service', async () => {
  await writeFile(pathOf('.env'), 'first')
  await chmod(pathOf('.env'), 0o640)
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(pathOf('.env'), 1, 2)
  const { uid, gid } = await stat(pathOf('.env'))
  await writeEnvFile(pathOf('.env'), 'second')
  expect(await modeOf(pathOf('.env'))).toBe('640')
  expect(await stat(pathOf('.env'))).toMatchObject({ uid, gid })
})

test('writes to the file that a symbolic link leads to', async () => {
  await writeFile(pathOf('secrets'), 'first')
  await symlink(pathOf('secrets'), pathOf('.env'))
  await writeEnvFile(pathOf('.env'), 'second')
  expect(await readFile(pathOf('secrets'), 'utf8')).toBe('second')
  expect(await readFile(pathOf('.env.backup'), 'utf8')).toBe('first')
})
