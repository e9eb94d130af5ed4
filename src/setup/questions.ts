import { VARIABLES } from '../config/variables.ts'
import { masked } from '../doctor/check.ts'
import type { SettingName } from './env-file.ts'
import type { Terminal } from './terminal.ts'

/** What every question needs. */
export interface Asking {
  terminal: Terminal
  /** The values in `.env`, which are the defaults. */
  earlier: Readonly<Record<string, string>>
  /** Aborts when the user stops. */
  signal: AbortSignal
  /**
   * Answers at a port of this machine until the setup ends, so that a public address can be checked before
   * Backhalf runs.
   *
   * @returns the local address, such as `127.0.0.1:3000`
   */
  answerAt: (port: number) => Promise<string>
}

/** Says what is wrong with a value for a setting, as a sentence; undefined: nothing. */
export function invalid(name: SettingName, value: string): string | undefined {
  const [schema, rule] = VARIABLES[name]
  if (value === '') return 'Enter it here. Ctrl-C stops without changing anything.'
  return schema.safeParse(value).success ? undefined : `It ${rule}.`
}

/** Asks for a secret until it has the right form. The earlier one is kept if nothing is entered. */
export async function askSecretSetting(
  { terminal, earlier }: Asking,
  name: SettingName,
  label: string,
): Promise<string> {
  const kept = earlier[name]
  const hint = kept === undefined ? '' : ` (press Enter to keep ${masked(kept)})`
  for (;;) {
    const answer = (await terminal.askSecret(`${label}${hint}:`)) || (kept ?? '')
    const problem = invalid(name, answer)
    if (problem === undefined) return answer
    terminal.report('bad', problem)
  }
}

/** The port in a setting, or the default. */
export function portOf(text: string | undefined, preset: number): number {
  return text !== undefined && invalid('PORT', text) === undefined ? Number(text) : preset
}
