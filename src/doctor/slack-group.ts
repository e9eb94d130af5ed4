import { hasPublicAddress } from '../config/slack-config.ts'
import { inParallel } from '../timing/in-parallel.ts'
import {
  failed,
  ok,
  runCheck,
  skipped,
  skippedFor,
  summary,
  warning,
  type Finding,
} from './check.ts'
import type { Deployment } from './deployment.ts'
import type { Stored } from './key-checks.ts'
import {
  checkAppToken,
  checkBotToken,
  checkClientCredentials,
  checkSigningSecretFormat,
  neededScopes,
  type NeededScopes,
  type SlackAccess,
} from './slack-checks.ts'

/** How many installations are tried, and how many at a time. */
const [MAX_INSTALLATIONS, AT_A_TIME] = [20, 5]

/**
 * Checks everything that Slack gave the deployment.
 *
 * @param stored resolves with undefined if the database can't be read
 */
export async function checkSlack(
  deployment: Deployment,
  stored: Promise<Stored | undefined>,
): Promise<Finding[]> {
  const { values, config, isInvalid } = deployment
  if (config.slack?.mode === 'playground') {
    const fix = 'To connect it to Slack, run: npm run setup'
    const production =
      'With NODE_ENV=production, as in deploy/, it would not start, because its address is public.'
    return hasPublicAddress(values)
      ? [warning('Slack', `Backhalf runs without Slack, in the playground. ${production}`, fix)]
      : [skipped('Slack', 'Backhalf runs without Slack, in the playground.', fix)]
  }
  if (isInvalid('SLACK_API_URL')) return [skippedFor('SLACK_API_URL', 'Slack')]
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = values
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken } = values
  const { SLACK_SIGNING_SECRET: signingSecret } = values
  const needed = neededScopes(config.unfurlDomains)
  const access = (signal: AbortSignal): SlackAccess => ({
    signal,
    ...(values.SLACK_API_URL && { apiUrl: values.SLACK_API_URL }),
  })
  const usesOAuth = clientId !== undefined && clientSecret !== undefined
  const done = await Promise.all([
    token && runCheck('Bot token', (signal) => checkBotToken({ token, needed, ...access(signal) })),
    usesOAuth &&
      runCheck('Client ID and secret', (signal) =>
        checkClientCredentials({ clientId, clientSecret, ...access(signal) }),
      ),
    appToken
      ? runCheck('App-level token', (signal) =>
          checkAppToken({ token: appToken, ...access(signal) }),
        )
      : signingSecret && [checkSigningSecretFormat(signingSecret)],
    usesOAuth &&
      stored.then((found) =>
        runCheck('Installations', (signal) =>
          checkInstallations(found, deployment, { needed, ...access(signal) }),
        ),
      ),
  ])
  return [mode(deployment), ...done.flatMap((findings) => findings || [])]
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
  access: SlackAccess & { needed: NeededScopes },
): Promise<Finding[]> {
  const name = 'Installations'
  if (!stored) return [skipped(name, 'They can’t be read from the database.')]
  const { readable } = stored.installations
  const installPage = `${config.publicUrl ?? 'the app’s address'}/slack/install`
  if (readable.length === 0) {
    const fix = `Open ${installPage} to install the app.`
    return [skipped(name, 'No workspace has installed the app yet.', fix)]
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
  const problems = checks.flat().filter(isProblem)
  const untried = readable.length - tried.length
  const rest = untried > 0 ? ` ${untried} more were not tried.` : ''
  const working = checks.filter(([token]) => token && !isProblem(token)).length
  const message = `Slack accepts the tokens of ${working} of ${tried.length} workspaces.${rest}`
  const found =
    working > 0 || tried.length === 0
      ? summary(name, message, checks.length === working ? [] : problems)
      : failed(name, message, 'See the lines below.')
  return [found, ...problems]
}

function isProblem({ status }: Finding): boolean {
  return status !== 'ok'
}
