import { readConfig } from '../config/config.ts'
import { VARIABLES, type Environment, type Variables } from '../config/variables.ts'

export type Deployment = ReturnType<typeof readDeployment>

const SECRET_NAMES = [
  'SLACK_SIGNING_SECRET',
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_CLIENT_SECRET',
  'SLACK_STATE_SECRET',
  'SHORTLINK_API_KEY',
  'ENCRYPTION_KEYS',
] as const satisfies (keyof Variables)[]

/** A shorter text is no secret, and may be part of any sentence. */
const MIN_SECRET_LENGTH = 6

/** Reads the setup that the doctor examines. */
export function readDeployment(env: Environment) {
  const reading = readConfig(env, { isTerminal: false })
  const isSet = (name: string): boolean => Boolean(env[name]?.trim() || env[`${name}_FILE`])
  return {
    ...reading,
    /** The names of the variables that are set, valid or not. */
    names: Object.keys(VARIABLES).filter(isSet),
    /** Whether a variable is set, but invalid. Its default must not be examined instead. */
    isInvalid: (name: keyof Variables) => isSet(name) && reading.values[name] === undefined,
    /** What must never be shown, the longest first. */
    secrets: secretsOf(env, reading.values),
  }
}

function secretsOf(env: Environment, values: Variables): string[] {
  const texts = SECRET_NAMES.flatMap((name) => [env[name], values[name]])
  const keys = texts.flatMap((text) => text?.split(/[,\n]/) ?? [])
  const urls = [env['DATABASE_URL'], values.DATABASE_URL, env['SLACK_API_URL'], env['PUBLIC_URL']]
  const passwords = urls.flatMap((url) => passwordsIn(url ?? ''))
  return [...texts, ...keys, ...passwords]
    .map((text) => text?.trim() ?? '')
    .filter((text) => text.length >= MIN_SECRET_LENGTH)
    .sort((one, other) => other.length - one.length)
}

/** A URL's password as it is written, and decoded. */
function passwordsIn(url: string): string[] {
  const { password, searchParams } = URL.parse(url) ?? {}
  const written = [password ?? '', searchParams?.get('password') ?? '']
  return [...written, ...written.map(decoded)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
