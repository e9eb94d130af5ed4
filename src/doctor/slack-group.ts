import { inParallel } from '../timing/in-parallel.ts'
import { failed, ok, runCheck, skipped, warning, type Finding } from './check.ts'
import type { ServerTime } from './clock-skew.ts'
import type { Deployment } from './deployment.ts'
import type { Stored } from './key-checks.ts'
import {
  checkAppToken,
  checkBotToken,
  checkClientCredentials,
  checkSigningSecretFormat,
  neededScopes,
  type NeededScopes,
  type SlackCheck,
} from './slack-checks.ts'

/** How many installations are tried, and how many at a time. */
const [MAX_INSTALLATIONS, AT_A_TIME] = [20, 5]

/**
 * Checks everything that Slack gave the deployment.
 *
 * @param stored resolves with undefined if the database can't be read
 * @returns `serverTime`: Slack's, if Slack answered
 */
export async function checkSlack(
  deployment: Deployment,
  stored: Promise<Stored | undefined>,
): Promise<{ findings: Finding[]; serverTime?: ServerTime | undefined }> {
  const { values, config, isInvalid } = deployment
  if (config.slack?.mode === 'playground') {
    const fix = 'To connect it to Slack, run: npm run setup'
    return { findings: [skipped('Slack', 'Backhalf runs without Slack, in the playground.', fix)] }
  }
  if (isInvalid('SLACK_API_URL')) {
    return { findings: [skipped('Slack', 'SLACK_API_URL is invalid (see Configuration).')] }
  }
  const needed = neededScopes(config.unfurlDomains)
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = values
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken } = values
  const apiUrl = values.SLACK_API_URL && { apiUrl: values.SLACK_API_URL }
  const usesOAuth = clientId !== undefined && clientSecret !== undefined
  const checks: Promise<SlackCheck>[] = []
  if (token) {
    const check = (signal: AbortSignal) => checkBotToken({ token, needed, signal, ...apiUrl })
    checks.push(runCheck('Bot token', check))
  }
  if (usesOAuth) {
    const check = (signal: AbortSignal) =>
      checkClientCredentials({ clientId, clientSecret, signal, ...apiUrl })
    checks.push(runCheck('Client ID and secret', check))
  }
  if (appToken) {
    const check = (signal: AbortSignal) => checkAppToken({ token: appToken, signal, ...apiUrl })
    checks.push(runCheck('App-level token', check))
  } else if (values.SLACK_SIGNING_SECRET) {
    checks.push(
      Promise.resolve({ findings: [checkSigningSecretFormat(values.SLACK_SIGNING_SECRET)] }),
    )
  }
  if (usesOAuth) {
    checks.push(
      stored.then((found) =>
        runCheck('Installations', (signal) =>
          checkInstallations(found, deployment, { needed, signal, ...apiUrl }),
        ),
      ),
    )
  }
  const done = await Promise.all(checks)
  return {
    findings: [mode(deployment), ...done.flatMap(({ findings }) => findings)],
    serverTime: done.map(({ serverTime }) => serverTime).find(Boolean),
  }
}

function mode({ config: { slack } }: Deployment): Finding {
  const name = 'Mode'
  if (!slack) return skipped(name, 'Some of Slack’s variables are missing (see Configuration).')
  const how = slack.mode === 'socket' ? 'Socket Mode' : 'HTTP'
  const who = 'oauth' in slack ? 'any workspace can install the app (OAuth)' : 'one workspace'
  return ok(name, `${how}, ${who}.`)
}

async function checkInstallations(
  stored: Stored | undefined,
  { config }: Deployment,
  access: { needed: NeededScopes; signal: AbortSignal; apiUrl?: string },
): Promise<SlackCheck> {
  const name = 'Installations'
  if (!stored) return { findings: [skipped(name, 'They can’t be read from the database.')] }
  const { readable } = stored.installations
  const installPage = `${config.publicUrl ?? 'the app’s address'}/slack/install`
  if (readable.length === 0) {
    const fix = `Open ${installPage} to install the app.`
    return { findings: [skipped(name, 'No workspace has installed the app yet.', fix)] }
  }
  // The app itself renews a token that has expired. Trying it here would only show that it has.
  const isExpired = (seconds: number | undefined) =>
    seconds !== undefined && seconds * 1_000 < Date.now()
  const living = readable.filter(({ content }) => !isExpired(content.bot.expiresAt))
  const tried = living.slice(0, MAX_INSTALLATIONS)
  const checks = await inParallel(tried, AT_A_TIME, async ({ workspaceId, content }) => {
    const label = content.team?.name ?? content.enterprise?.name
    const named = label === undefined ? workspaceId : `${label} (${workspaceId})`
    const fix = `Ask an admin of the workspace to open ${installPage}.`
    const about = { name: named, fix, scopes: { name: `Scopes in ${named}`, fix } }
    return checkBotToken({ ...access, token: content.bot.token, about })
  })
  const problems = checks.flatMap(({ findings }) =>
    findings.filter(({ status }) => status !== 'ok'),
  )
  const untried = readable.length - tried.length
  const rest = untried > 0 ? ` ${untried} more were not tried.` : ''
  const working = checks.filter(({ team }) => team !== undefined).length
  const message = `Slack accepts the tokens of ${working} of ${tried.length} workspaces.${rest}`
  const summary =
    working === tried.length
      ? ok(name, message)
      : working === 0
        ? failed(name, message, 'See the lines below.')
        : warning(name, message, 'See the lines below.')
  return {
    findings: [summary, ...problems],
    serverTime: checks.map(({ serverTime }) => serverTime).find(Boolean),
  }
}
