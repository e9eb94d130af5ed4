import type { ServiceKind } from '../port/link-service.ts'
import { VARIABLES, type Environment } from '../config/variables.ts'
import { masked, type Result } from '../doctor/check.ts'
import type { SettingName, Settings } from './env-file.ts'
import { openStandIn, type LocalServer } from './local-servers.ts'
import type { Choice, Terminal } from './terminal.ts'

export interface Choices {
  mode: 'socket' | 'http'
  workspaces: 'one' | 'many'
  service: 'own' | 'other'
  kind: ServiceKind
  place: 'here' | 'everywhere'
  command: 'default' | 'other'
  data: 'sqlite' | 'systemd' | 'postgres'
  proxy: 'here' | 'elsewhere' | 'none'
}

type Values = Readonly<Record<string, string>>

export interface Progress {
  readonly earlier: Values
  /** Variables outside of `.env`, which take precedence over it. */
  readonly environment: Environment
  readonly chosen: Partial<Choices>
  /** The answers so far. An undefined setting is removed from `.env`. */
  readonly settings: Settings
  readonly standIns: LocalServer[]
  readonly signal: AbortSignal
}

export function effectiveValues({ earlier, settings, environment }: Progress): Values {
  return Object.fromEntries(
    Object.entries({ ...earlier, ...settings, ...environment }).filter(
      (entry): entry is [string, string] => Boolean(entry[1]),
    ),
  )
}

interface AnyStep {
  when?: (progress: Progress) => boolean
  implies?: (progress: Progress) => Settings
}

interface ChoiceStep<K extends keyof Choices> extends AnyStep {
  choose: K
  message: string
  choices: readonly Choice<Choices[K]>[] | ((progress: Progress) => readonly Choice<Choices[K]>[])
  preset: (earlier: Values) => Choices[K]
}

interface SettingsStep extends AnyStep {
  say?: string | ((progress: Progress) => string)
  /** The setup responds at this port from now on, so that a public address can be checked before Backhalf runs. */
  respondsAt?: Port
  questions: readonly Question[]
  what?: string
  /** The user can keep an answer that does not work yet, such as an address that is set up later. */
  canBeKept?: true
  /** The first result is about the answers themselves. Others are about what depends on them, such as scopes. */
  check?: (answers: Settings, progress: Progress) => Promise<Result[]>
}

interface Question {
  setting: SettingName
  message: string
  isSecret?: true
  canBeEmpty?: true
  preset?: (earlier: Values) => string | undefined
  problem?: (text: string) => string | undefined
}

export type Step = { [K in keyof Choices]: ChoiceStep<K> }[keyof Choices] | SettingsStep

export async function askAll(
  terminal: Terminal,
  progress: Progress,
  steps: readonly Step[],
): Promise<void> {
  for (const step of steps) {
    if (step.when && !step.when(progress)) continue
    if ('choose' in step) {
      const choices: readonly Choice<string>[] =
        typeof step.choices === 'function' ? step.choices(progress) : step.choices
      const chosen = await terminal.choose(step.message, choices, step.preset(progress.earlier))
      Object.assign(progress.chosen, { [step.choose]: chosen })
    } else {
      Object.assign(progress.settings, await askSettings(terminal, progress, step))
    }
    Object.assign(progress.settings, step.implies?.(progress))
  }
}

async function askSettings(
  terminal: Terminal,
  progress: Progress,
  step: SettingsStep,
): Promise<Settings> {
  const { say, respondsAt, questions, check } = step
  if (respondsAt) {
    const { host, port } = localAddress(progress, respondsAt)
    const standIn = await openStandIn(host, port)
    if (standIn) progress.standIns.push(standIn)
  }
  if (say !== undefined) terminal.say(typeof say === 'function' ? say(progress) : say)
  for (;;) {
    const answers: Settings = {}
    for (const question of questions) {
      const answer = await askSetting(terminal, progress.earlier, question)
      answers[question.setting] = answer === '' ? undefined : answer
    }
    if (!check || (await areAccepted(terminal, step, () => check(answers, progress)))) {
      return answers
    }
  }
}

async function askSetting(
  terminal: Terminal,
  earlier: Values,
  { setting, message, isSecret, canBeEmpty, preset, problem }: Question,
): Promise<string> {
  const kept = preset ? preset(earlier) : earlier[setting]
  const validate = (text: string): string | undefined =>
    text === '' && canBeEmpty ? undefined : (settingProblem(setting, text) ?? problem?.(text))
  if (!isSecret) return terminal.ask(message, { preset: kept, validate })
  const hint = kept === undefined ? '' : ` (press Enter to keep ${masked(kept)})`
  // A question that validates would keep a wrong secret, which can’t be seen, in front of the next one.
  for (;;) {
    const answer = (await terminal.askSecret(`${message}${hint}:`)) || (kept ?? '')
    const wrong = validate(answer)
    if (wrong === undefined) return answer
    terminal.report('bad', wrong)
  }
}

function settingProblem(name: SettingName, value: string): string | undefined {
  const [schema, rule] = VARIABLES[name]
  if (value === '') return 'Enter it here. Ctrl-C stops without changing anything.'
  return schema.safeParse(value).success ? undefined : `It ${rule}.`
}

const PORTS = { PORT: 3000, SERVICE_PORT: 3001 }
export type Port = keyof typeof PORTS

export function localAddress(progress: Progress, name: Port): { host: string; port: number } {
  const { HOST: host = '127.0.0.1', [name]: text = '' } = effectiveValues(progress)
  const port = settingProblem(name, text) === undefined ? Number(text) : PORTS[name]
  return { host, port }
}

async function areAccepted(
  terminal: Terminal,
  { what = '', canBeKept }: Pick<SettingsStep, 'what' | 'canBeKept'>,
  check: () => Promise<Result[]>,
): Promise<boolean> {
  for (;;) {
    const findings = await terminal.wait(`Checking ${what} …`, check())
    for (const { status, message, fix } of findings) {
      const mark = status === 'ok' ? 'good' : status === 'failed' ? 'bad' : 'warning'
      // Some fixes only say to run the doctor again.
      terminal.report(mark, message, fix?.includes('the doctor') ? undefined : fix)
    }
    if (findings.every(({ status }) => status === 'ok')) return true
    const [first] = findings
    if (first?.status === 'failed' && !canBeKept) return false
    const next = await terminal.choose('What do you want to do?', NEXT)
    if (next !== 'again') return next === 'keep'
  }
}

const NEXT: readonly Choice<'again' | 'other' | 'keep'>[] = [
  { value: 'again', name: 'Check again', description: 'Choose this when you have fixed it.' },
  { value: 'other', name: 'Enter something else' },
  {
    value: 'keep',
    name: 'Keep it as it is',
    description: 'You can fix it later: npm run doctor checks it again.',
  },
]
