import { constants } from 'node:fs'
import { chmod, copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'dotenv'
import { ConfigError, parseConfig } from '../config/config.ts'
import { isSecret } from '../config/variables.ts'
import { masked } from '../doctor/check.ts'
import { errorCode } from '../values/unknown-values.ts'
import type { Settings, Setup } from './ask.ts'

const HEADER = '# Written by npm run setup. docs/configuration.md lists all settings.\n'
const PRIVATE = 0o600

/** A file with this mode keeps it, because the user who runs Backhalf as a service can be in its group. */
const PRIVATE_TO_GROUP = 0o640

/** Matches a line as dotenv reads it: name, value, comment and line break. A quoted value can span several lines. */
const ASSIGNMENT =
  // eslint-disable-next-line regexp/no-super-linear-backtracking -- The operator's own file.
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)(?:[ \t]*=|:[ \t])[ \t]*(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\r\n]*?)([ \t]*#[^\r\n]*)?[ \t]*(\r?\n|$)/gm

/** The values also include those that `NAME_FILE=path` refers to. */
export async function readEnvFile(path: string) {
  const text = (await readIfExists(path)) ?? ''
  const values = { ...parse(text) }
  for (const [name, valuePath] of Object.entries(values)) {
    if (!name.endsWith('_FILE') || valuePath === '') continue
    const value = await readIfExists(valuePath).catch(() => undefined)
    if (value !== undefined) values[name.slice(0, -'_FILE'.length)] ??= value.trim()
  }
  return { text, values }
}

export async function writeSettings(setup: Setup, path: string, text: string): Promise<boolean> {
  const { terminal, saved, settings } = setup
  const changes = Object.entries(settings).filter(([name, value]) => value !== saved[name])
  const changed = changeEnv(text, Object.fromEntries(changes))
  const width = Math.max(...changes.map(([name]) => name.length))
  const lines = changes.map(([name, value]) => `  ${name.padEnd(width)}  ${valueText(name, value)}`)
  if (lines.length > 0) terminal.say(lines.join('\n'))
  else terminal.report('ok', '.env contains all of this already.')
  warnAboutProblems(setup, changed)
  if (lines.length === 0) return true
  if (!(await terminal.confirm('Write this to .env?', true))) {
    terminal.say('Nothing was changed.')
    return false
  }
  const backup = await writeEnvFile(path, changed)
  terminal.report('ok', `Written to ${path}. Other users can’t read it.`)
  if (backup !== undefined) terminal.report('ok', `The earlier file is ${backup}.`)
  if ('ENCRYPTION_KEYS' in settings) {
    terminal.report(
      'warning',
      'Keep a copy of ENCRYPTION_KEYS in a safe place: without it, stored tokens are lost.',
    )
  }
  return true
}

function valueText(name: string, value: string | undefined): string {
  if (value === undefined) return '(removed)'
  return isSecret(name) ? masked(value) : value
}

function warnAboutProblems({ terminal, settings, environment }: Setup, changed: string): void {
  for (const name of Object.keys(settings).filter((variable) => environment[variable])) {
    terminal.report(
      'warning',
      `${name} is also set in your environment, which takes precedence over .env. Remove it there.`,
    )
  }
  try {
    parseConfig(parse(changed))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const issue of error.issues) {
      terminal.report('warning', issue, 'Correct this in .env. Otherwise, Backhalf does not start.')
    }
  }
}

/** Keeps other lines and comments. @throws Error if dotenv would not read back the same values */
export function changeEnv(text: string, settings: Settings): string {
  const changes = new Map(Object.entries(settings))
  // A change of NAME also removes NAME_FILE, because only one of them can be set.
  const isChanged = (name: string): boolean => changes.has(name.replace(/_FILE$/, ''))
  const names = [...text.matchAll(ASSIGNMENT)].map(([, name]) => name ?? '')
  let index = 0
  let changed = text.replaceAll(
    ASSIGNMENT,
    (line: string, name: string, comment: string | undefined, end: string) => {
      // If a name is assigned several times, dotenv uses the last value, so the earlier lines are removed.
      const isLast = names.lastIndexOf(name) === index
      index += 1
      if (!isChanged(name)) return line
      const value = changes.get(name)
      if (value === undefined || !isLast) return ''
      return `${assignment(name, value)}${comment ?? ''}${end}`
    },
  )
  const added = [...changes].filter(([name, value]) => value !== undefined && !names.includes(name))
  if (added.length > 0) {
    if (changed === '') changed = HEADER
    else if (!changed.endsWith('\n')) changed += '\n'
    changed += added.map(([name, value = '']) => `${assignment(name, value)}\n`).join('')
  }
  // `ASSIGNMENT` might match some lines differently from dotenv.
  const others = (env: string) => Object.entries(parse(env)).filter(([name]) => !isChanged(name))
  const isReadBack = [...changes].every(([name, value]) => parse(changed)[name] === value)
  if (!isReadBack || !isDeepStrictEqual(others(changed), others(text))) {
    throw new Error('.env has lines that can’t be changed safely. Rename it, and start again.')
  }
  return changed
}

/** Quotes a value so that dotenv, systemd and Docker Compose all read it unchanged. */
function assignment(name: string, value: string): string {
  if (/^[^\s#'"`$\\]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '"', '`'].find(
    (mark) => !value.includes(mark) && parse(`A=${mark}${value}${mark}`).A === value,
  )
  if (!quote) {
    throw new Error(`${name} can’t be written to .env: it contains all three kinds of quotes`)
  }
  return `${name}=${quote}${value}${quote}`
}

/** Writes the file, which keeps its owner and group. @returns the path of a copy of the earlier file, if it existed */
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
