import { constants } from 'node:fs'
import { chmod, copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'dotenv'
import type { VARIABLES } from '../config/variables.ts'
import { errorCode } from '../values/unknown-values.ts'

export type SettingName = keyof typeof VARIABLES

/** An undefined setting is removed from the file. */
export type Settings = { [N in SettingName]?: string | undefined }

const HEADER = '# Written by npm run setup. docs/configuration.md lists all settings.\n'
const PRIVATE = 0o600

/** The group can be that of the user who runs Backhalf as a service. */
const PRIVATE_TO_GROUP = 0o640

/** Matches what dotenv reads: a name, a value (a quoted one can span several lines), a comment, and the line break. */
const ASSIGNMENT =
  // eslint-disable-next-line regexp/no-super-linear-backtracking -- The operator's own file.
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)(?:[ \t]*=|:[ \t])[ \t]*(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\r\n]*?)([ \t]*#[^\r\n]*)?[ \t]*(\r?\n|$)/gm

/** Also reads the values in files that are named by `NAME_FILE`. */
export async function readEnvFile(
  path: string,
): Promise<{ text: string; values: Readonly<Record<string, string>> }> {
  const text = (await readIfExists(path)) ?? ''
  const values = { ...parse(text) }
  for (const [name, valuePath] of Object.entries(values)) {
    if (!name.endsWith('_FILE') || valuePath === '') continue
    const value = await readIfExists(valuePath).catch(() => undefined)
    if (value !== undefined) values[name.slice(0, -'_FILE'.length)] ??= value.trim()
  }
  return { text, values }
}

/** Keeps other lines and comments. @throws Error if a value can't be written so that it is read back */
export function changeEnv(text: string, settings: Settings): string {
  const changes = new Map(Object.entries(settings))
  const isChanged = (name: string): boolean => changes.has(name.replace(/_FILE$/, ''))
  const found = [...text.matchAll(ASSIGNMENT)].map(([, name]) => name ?? '')
  let at = 0
  let changed = text.replaceAll(
    ASSIGNMENT,
    (line: string, name: string, comment: string | undefined, end: string) => {
      const isLast = found.lastIndexOf(name) === at++
      if (!isChanged(name)) return line
      const value = changes.get(name)
      if (value === undefined || !isLast) return ''
      return `${assignment(name, value)}${comment ?? ''}${end}`
    },
  )
  const added = [...changes].filter(([name, value]) => value !== undefined && !found.includes(name))
  if (added.length > 0) {
    if (changed === '') changed = HEADER
    else if (!changed.endsWith('\n')) changed += '\n'
    changed += added.map(([name, value = '']) => `${assignment(name, value)}\n`).join('')
  }
  // Guards against lines that dotenv and `ASSIGNMENT` read differently.
  const others = (env: string) => Object.entries(parse(env)).filter(([name]) => !isChanged(name))
  const isReadBack = [...changes].every(([name, value]) => parse(changed)[name] === value)
  if (!isReadBack || !isDeepStrictEqual(others(changed), others(text))) {
    throw new Error('.env has lines that can’t be changed safely. Rename it, and start again.')
  }
  return changed
}

/** dotenv, systemd and Docker Compose must read the line alike. */
function assignment(name: string, value: string): string {
  if (/^[^\s#'"`$\\]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '"', '`'].find(
    (one) => !value.includes(one) && parse(`A=${one}${value}${one}`).A === value,
  )
  if (!quote) {
    throw new Error(`${name} can’t be written to .env: it contains all three kinds of quotes`)
  }
  return `${name}=${quote}${value}${quote}`
}

/** Writes the file. If it exists, copies it first and returns the path of the copy. It keeps its owner and group. */
export async function writeEnvFile(path: string, text: string): Promise<string | undefined> {
  const backup = await backUp(path)
  if (backup !== undefined) await makePrivate(path)
  await writeFile(path, text, { mode: PRIVATE, flush: true })
  return backup
}

async function backUp(path: string): Promise<string | undefined> {
  for (let count = 1; ; count++) {
    const backup = `${path}.backup${count === 1 ? '' : `-${count}`}`
    try {
      await copyFile(path, backup, constants.COPYFILE_EXCL)
      await makePrivate(backup)
      return backup
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}

async function makePrivate(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o777) !== PRIVATE_TO_GROUP) await chmod(path, PRIVATE)
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
