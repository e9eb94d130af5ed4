import { readVariables, VARIABLES, type Environment, type Variables } from '../config/variables.ts'
import { checkPublicAddress } from '../doctor/address-checks.ts'
import { masked, type Result } from '../doctor/check.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import { openStandIn } from './local-servers.ts'
import type { Terminal } from './terminal.ts'

type Values = Readonly<Record<string, string>>

type SettingName = keyof typeof VARIABLES

/** An undefined setting is removed from the file. */
export type Settings = { [N in SettingName]?: string | undefined }

export interface Setup {
  readonly terminal: Terminal
  /** The values in `.env`. Those in `environment` take precedence. */
  readonly saved: Values
  readonly environment: Environment
  readonly settings: Settings
  /** Servers that respond in place of Backhalf until the setup ends. */
  readonly standIns: AsyncDisposableStack
  readonly signal: AbortSignal
}

export function effectiveValues({ saved, settings, environment }: Setup): Values {
  return Object.fromEntries(
    Object.entries({ ...saved, ...settings, ...environment }).filter(
      (entry): entry is [string, string] => Boolean(entry[1]),
    ),
  )
}

export function effectiveVariables(setup: Setup): Variables {
  return readVariables(effectiveValues(setup), [])
}

interface Question {
  setting: SettingName
  message: string
  isSecret?: true
  canBeEmpty?: true
  /** By default the value in `.env`. If it is set to undefined, nothing is suggested. */
  preset?: string | undefined
  problem?: (text: string) => string | undefined
}

interface Check {
  subject: string
  /** Lets the user keep answers that failed the check, such as an address that is set up later. */
  canBeKept?: true
  /**
   * If the first result is `failed`, the answers are wrong, and the questions are asked again. After other problems,
   * such as missing scopes, the user chooses what to do, because the answers might be right.
   */
  check: (answers: Settings) => Promise<Result[]>
}

export async function askSettings(
  { terminal, saved, settings }: Setup,
  questions: readonly Question[],
  check?: Check,
): Promise<void> {
  for (;;) {
    const answers: Settings = {}
    for (const question of questions) {
      const answer = await askSetting(terminal, saved, question)
      answers[question.setting] = answer === '' ? undefined : answer
    }
    if (check && !(await acceptAnswers(terminal, answers, check))) continue
    Object.assign(settings, answers)
    return
  }
}

async function askSetting(terminal: Terminal, saved: Values, question: Question): Promise<string> {
  const { setting, message, isSecret, canBeEmpty, problem } = question
  const preset = 'preset' in question ? question.preset : saved[setting]
  const validate = (text: string): string | undefined =>
    text === '' && canBeEmpty ? undefined : (settingProblem(setting, text) ?? problem?.(text))
  if (!isSecret) return terminal.ask(message, preset, validate)
  const hint = preset === undefined ? '' : ` (press Enter to keep ${masked(preset)})`
  // The answer is validated after the prompt, because a prompt that rejects a secret leaves the hidden text in the
  // input.
  for (;;) {
    const answer = (await terminal.askSecret(`${message}${hint}:`)) || (preset ?? '')
    const invalid = validate(answer)
    if (invalid === undefined) return answer
    terminal.report('failed', invalid)
  }
}

function settingProblem(name: SettingName, value: string): string | undefined {
  const [schema, rule] = VARIABLES[name]
  if (value === '') return 'Enter it here. Ctrl-C stops without changing anything.'
  return schema.safeParse(value).success ? undefined : `It ${rule}.` // "It must be on or off."
}

/** @returns false if the questions must be asked again */
async function acceptAnswers(
  terminal: Terminal,
  answers: Settings,
  { subject, canBeKept, check }: Check,
): Promise<boolean> {
  for (;;) {
    const results = await terminal.wait(`Checking ${subject} …`, check(answers))
    for (const { status, message, fix } of results) terminal.report(status, message, fix)
    if (results.every(({ status }) => status === 'ok')) return true
    const [first] = results
    if (first?.status === 'failed' && !canBeKept) return false
    const next = await terminal.choose('What do you want to do?', 'again', NEXT_STEPS)
    if (next !== 'again') return next === 'keep'
  }
}

const NEXT_STEPS = {
  again: { name: 'Check again', description: 'Choose this when you have fixed it.' },
  other: { name: 'Enter something else' },
  keep: {
    name: 'Keep it as it is',
    description: 'You can fix it later: npm run doctor checks it again.',
  },
}

const DEFAULT_PORTS = { PORT: 3000, SERVICE_PORT: 3001 }
type PortSetting = keyof typeof DEFAULT_PORTS

export function localAddress(setup: Setup, name: PortSetting): { host: string; port: number } {
  const { HOST: host = '127.0.0.1', [name]: port = DEFAULT_PORTS[name] } = effectiveVariables(setup)
  return { host, port }
}

/** Opens a small server at one of Backhalf's ports, so that the public address can be checked before Backhalf runs. */
export async function askAddress(
  setup: Setup,
  portSetting: PortSetting,
  explain: (hostAndPort: string) => string,
  question: Question,
): Promise<void> {
  const { host, port } = localAddress(setup, portSetting)
  const standIn = await openStandIn(host, port)
  if (standIn) setup.standIns.use(standIn)
  setup.terminal.say(explain(`${host}:${port}`))
  const options = { localAddress: `${host}:${port}`, isRunning: true, signal: setup.signal }
  await askSettings(setup, [question], {
    subject: 'the address',
    canBeKept: true,
    check: ({ [question.setting]: url = '' }) => checkPublicAddress(url, options),
  })
}

export function isPublic(url: string | undefined): boolean {
  const hostname = URL.parse(url ?? '')?.hostname
  return hostname !== undefined && !isLoopbackHostname(hostname)
}
