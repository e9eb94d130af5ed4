import type { Config } from '../config/config.ts'
import { ok, runCheck, skipped, checkWorkspaces, type Finding } from './check.ts'
import type { Stored } from './key-checks.ts'
import {
  checkAppToken,
  checkBotToken,
  checkClientCredentials,
  checkMcpAddress,
  checkSigningSecretFormat,
  neededScopes,
  type SlackAccess,
} from './slack-checks.ts'

export async function checkSlack(config: Config, stored: Stored | undefined): Promise<Finding[]> {
  const { slack, unfurlDomains, slackMcp, publicUrl } = config
  if (slack.mode === 'playground') {
    const fix = 'To connect it to Slack, run: npm run setup'
    return [skipped('Slack', 'Backhalf runs without Slack, in the playground.', fix)]
  }
  const { apiUrl } = slack
  const how = slack.mode === 'socket' ? 'Socket Mode' : 'HTTP'
  const who = 'oauth' in slack ? 'any workspace can install the app (OAuth)' : 'one workspace'
  const checks = await Promise.all([
    'oauth' in slack
      ? runCheck('Client ID and secret', (signal) =>
          checkClientCredentials({ ...slack.oauth, apiUrl, signal }),
        )
      : runCheck('Bot token', (signal) =>
          checkBotToken({
            token: slack.botToken,
            needed: neededScopes(unfurlDomains, slackMcp),
            apiUrl,
            signal,
          }),
        ),
    slack.mode === 'socket'
      ? runCheck('App-level token', (signal) =>
          checkAppToken({ token: slack.appToken, apiUrl, signal }),
        )
      : [checkSigningSecretFormat(slack.signingSecret)],
    'oauth' in slack
      ? runCheck('Installations', (signal) =>
          checkInstallations(stored, config, { apiUrl, signal }),
        )
      : [],
  ])
  return [
    ok('Mode', `${how}, ${who}.`),
    ...checks.flat(),
    ...(slackMcp ? [checkMcpAddress(publicUrl)] : []),
  ]
}

async function checkInstallations(
  stored: Stored | undefined,
  { publicUrl, unfurlDomains, slackMcp }: Config,
  access: SlackAccess,
): Promise<Finding[]> {
  const name = 'Installations'
  if (!stored) return [skipped(name, 'They can’t be read from the database.')]
  const { readable } = stored.installations
  const installPage = `${publicUrl ?? 'the app’s address'}/slack/install`
  if (readable.length === 0) {
    const fix = `Open ${installPage} to install the app.`
    return [skipped(name, 'No workspace has installed the app yet.', fix)]
  }
  // The app itself renews a token that has expired. Trying it here would only show that it has.
  const isExpired = (seconds: number | undefined) =>
    seconds !== undefined && seconds * 1_000 < Date.now()
  const living = readable.filter(({ content }) => !isExpired(content.bot.expiresAt))
  const needed = neededScopes(unfurlDomains, slackMcp)
  return checkWorkspaces(name, 'Slack accepts the tokens', living, ({ workspaceId, content }) => {
    const label = content.team?.name ?? content.enterprise?.name
    const named = label === undefined ? workspaceId : `${label} (${workspaceId})`
    const fix = `Ask an admin of the workspace to open ${installPage}.`
    const about = { name: named, fix, scopes: { name: `Scopes in ${named}`, fix } }
    return checkBotToken({ ...access, token: content.bot.token, needed, about })
  })
}
