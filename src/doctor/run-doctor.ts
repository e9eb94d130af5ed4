import type { Environment } from '../config/variables.ts'
import type { DotenvFile } from './configuration-checks.ts'
import { readDeployment } from './deployment.ts'
import { examine } from './examine.ts'
import { isHealthy, jsonReport, textReport } from './report.ts'

const USAGE = `Usage: npm run doctor [-- --json]

Checks your setup: configuration, Slack’s tokens and scopes, the database, encryption keys, the link
service, public addresses and the clock. It changes nothing, and shows no secrets. Run it at any time,
even while Backhalf is running.

  --json  prints {"ok": …, "findings": […]} (npm run --silent doctor -- --json)

The exit code is 0 if nothing failed, 1 if something did, and 2 for wrong options.
`

export interface DoctorOptions {
  env: Environment
  dotenv: DotenvFile
  colors: boolean
  out: (text: string) => void
  err: (text: string) => void
}

/** @returns the exit code */
export async function runDoctor(
  args: readonly string[],
  { env, dotenv, colors, out, err }: DoctorOptions,
): Promise<number> {
  if (args.length === 1 && (args[0] === '--help' || args[0] === '-h')) {
    out(USAGE)
    return 0
  }
  if (args.length > 1 || (args.length === 1 && args[0] !== '--json')) {
    err(USAGE)
    return 2
  }
  const deployment = readDeployment(env)
  const groups = await examine(deployment, dotenv)
  const { secrets } = deployment
  out(args.length === 1 ? jsonReport(groups, secrets) : textReport(groups, { colors, secrets }))
  return isHealthy(groups) ? 0 : 1
}
