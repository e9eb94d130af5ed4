import type { Config } from '../config/config.ts'
import {
  checkWorkspaces,
  named,
  ok,
  runCheck,
  skipped,
  type Finding,
  type Result,
} from './check.ts'
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
    return named('Slack', skipped('Backhalf runs without Slack, in the playground.', fix))
  }
  const { apiUrl } = slack
  const connection = slack.mode === 'socket' ? 'Socket Mode' : 'HTTP'
  const installableBy =
    'oauth' in slack ? 'any workspace can install the app (OAuth)' : 'one workspace'
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
      : named('Signing secret', checkSigningSecretFormat(slack.signingSecret)),
    'oauth' in slack
      ? runCheck('Installations', (signal) =>
          checkInstallations(stored, config, { apiUrl, signal }),
        )
      : [],
  ])
  return [
    ...named('Mode', ok(`${connection}, ${installableBy}.`)),
    ...checks.flat(),
    ...(slackMcp ? named('Slackbot (MCP)', checkMcpAddress(publicUrl)) : []),
  ]
}

async function checkInstallations(
  stored: Stored | undefined,
  { publicUrl, unfurlDomains, slackMcp }: Config,
  access: SlackAccess,
): Promise<Result[]> {
  if (!stored) return [skipped('The installations can’t be read from the database.')]
  const { readable } = stored.installations
  const installPage = `${publicUrl ?? 'the app’s address'}/slack/install`
  if (readable.length === 0) {
    const fix = `Open ${installPage} to install the app.`
    return [skipped('No workspace has installed the app yet.', fix)]
  }
  // The app renews expired tokens when it needs them, so trying one here would only show that it has expired.
  const isExpired = (seconds: number | undefined) =>
    seconds !== undefined && seconds * 1_000 < Date.now()
  const unexpired = readable.filter(({ content }) => !isExpired(content.bot.expiresAt))
  const needed = neededScopes(unfurlDomains, slackMcp)
  return checkWorkspaces(
    'Slack accepts the tokens',
    unexpired,
    async ({ workspaceId, content }) => {
      const label = content.team?.name ?? content.enterprise?.name
      const name = label === undefined ? workspaceId : `${label} (${workspaceId})`
      const fix = `Ask an admin of the workspace to open ${installPage}.`
      const about = { tokenFix: fix, scopes: `Scopes in ${name}`, scopesFix: fix }
      const check = checkBotToken({ ...access, token: content.bot.token, needed, about })
      return named(name, ...(await check))
    },
  )
}
