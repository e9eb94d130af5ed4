import { stat } from 'node:fs/promises'
import { unknownVariables } from '../config/variables.ts'
import { failed, named, ok, warning, type Finding, type Result } from './check.ts'

export interface DotenvFile {
  path: string
  names: readonly string[]
}

export async function checkConfiguration(issues: readonly string[], dotenv: DotenvFile) {
  const unknownSetting = warning(
    'This name in .env is not a setting, so it has no effect.',
    'Correct or remove it. docs/configuration.md lists all settings.',
  )
  return [
    ...(issues.length > 0 ? issues.map(invalidSetting) : named('Settings', ok('All are valid.'))),
    ...unknownVariables(dotenv.names).flatMap((name) => named(name, unknownSetting)),
    ...named('.env', ...(await checkFileAccess(dotenv.path))),
  ]
}

/** @param issue `NAME: what is wrong`, or `NAME: what is wrong; what to do` */
function invalidSetting(issue: string): Finding {
  const [, name = 'Settings', problem = issue] = /^([^:]+): (.+)$/s.exec(issue) ?? []
  const [message = '', ...fix] = problem.split('; ')
  const result = failed(
    /^(?:must|is|would) /.test(message) ? `It ${message}.` : `${capitalized(message)}.`,
    fix.length > 0
      ? capitalized(fix.join('; '))
      : `Correct ${name} in .env or in the environment. docs/configuration.md lists all settings.`,
  )
  return { name, ...result }
}

/**
 * Warns if all users of this machine can read a file with secrets, or if its group can change it. The group can read
 * the file, because the user who runs Backhalf as a service can be in it.
 * @returns no results if the file doesn't exist
 */
export async function checkFileAccess(path: string): Promise<Result[]> {
  const mode = await stat(path).then(
    (file) => file.mode & 0o777,
    () => undefined,
  )
  if (mode === undefined) return []
  if ((mode & 0o077) === 0) return [ok('Only its owner can read it.')]
  if ((mode & 0o037) === 0) return [ok('Only its owner and its group can read it.')]
  return [
    warning(
      `Other users of this machine can read the secrets in it (mode ${mode.toString(8).padStart(4, '0')}).`,
      `chmod 600 ${path}`,
    ),
  ]
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
