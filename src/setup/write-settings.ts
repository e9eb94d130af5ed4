import { parse } from 'dotenv'
import { ConfigError, parseConfig } from '../config/config.ts'
import { isSecret, type Environment } from '../config/variables.ts'
import { masked } from '../doctor/check.ts'
import type { Setup } from './ask.ts'
import { changeEnv, writeEnvFile } from './env-file.ts'
import type { Terminal } from './terminal.ts'

export async function writeSettings(
  { terminal, saved, settings, environment }: Setup,
  path: string,
  text: string,
): Promise<boolean> {
  const changes = Object.entries(settings).filter(([name, value]) => value !== saved[name])
  const changed = changeEnv(text, Object.fromEntries(changes))
  const width = Math.max(...changes.map(([name]) => name.length))
  const lines = changes.map(([name, value]) => `  ${name.padEnd(width)}  ${valueText(name, value)}`)
  if (lines.length > 0) terminal.say(lines.join('\n'))
  else terminal.report('ok', '.env contains all of this already.')
  warnAboutProblems(terminal, changed, Object.keys(settings), environment)
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

function warnAboutProblems(
  terminal: Terminal,
  changed: string,
  names: readonly string[],
  environment: Environment,
): void {
  for (const name of names.filter((variable) => environment[variable])) {
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
