import type { Config } from '../config/config.ts'
import { checkWorkspaces, named, ok, runCheck, skipped, type Result } from './check.ts'
import type { StoredData } from './key-checks.ts'
import {
  checkAppToken,
  checkBotToken,
  checkClientCredentials,
  checkMcpAddress,
  checkSigningSecretFormat,
  neededScopes,
  type SlackAccess,
} from './slack-checks.ts'

export async function checkSlack(config: Config, stored: StoredData | undefined) {
  const { slack, unfurlDomains, slackMcp, publicUrl } = config
  if (slack.mode === 'playground') {
    const fix = 'To connect it to Slack, run: npm run setup'
    return named('Slack', skipped('Backhalf runs without Slack, in the playground.', fix))
  }
  const { apiUrl } = slack
  const isInstallable = 'oauth' in slack
  const isSocket = slack.mode === 'socket'
  const checks: Record<string, (signal: AbortSignal) => Promise<Result[]>> = {}
  if (isInstallable) {
    checks['Client ID and secret'] = (signal) =>
      checkClientCredentials({ ...slack.oauth, apiUrl, signal })
  } else {
    const needed = neededScopes(unfurlDomains, slackMcp)
    checks['Bot token'] = (signal) =>
      checkBotToken({ token: slack.botToken, needed, apiUrl, signal })
  }
  if (isSocket) {
    checks['App-level token'] = (signal) => checkAppToken({ token: slack.appToken, apiUrl, signal })
  } else {
    checks['Signing secret'] = async () => [checkSigningSecretFormat(slack.signingSecret)]
  }
  if (isInstallable) {
    checks['Installations'] = (signal) => checkInstallations(stored, config, { apiUrl, signal })
  }
  if (slackMcp) checks['Slackbot (MCP)'] = async () => [checkMcpAddress(publicUrl)]
  const findings = await Promise.all(
    Object.entries(checks).map(([name, check]) => runCheck(name, check)),
  )
  const usedBy = isInstallable ? 'any workspace can install the app (OAuth)' : 'one workspace'
  const mode = ok(`${isSocket ? 'Socket Mode' : 'HTTP'}, ${usedBy}.`)
  return [...named('Mode', mode), ...findings.flat()]
}

async function checkInstallations(
  stored: StoredData | undefined,
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
  // Expired tokens are not checked, because the app renews them when it needs them.
  const nowSeconds = Date.now() / 1_000
  const unexpired = readable.filter(
    ({ content }) => (content.bot.expiresAt ?? Infinity) > nowSeconds,
  )
  const needed = neededScopes(unfurlDomains, slackMcp)
  return checkWorkspaces(
    'Slack accepts the tokens',
    unexpired,
    async ({ workspaceId, content }) => {
      const label = content.team?.name ?? content.enterprise?.name
      const name = label === undefined ? workspaceId : `${label} (${workspaceId})`
      const fix = `Ask an admin of the workspace to open ${installPage}.`
      const texts = { tokenFix: fix, scopes: `Scopes in ${name}`, scopesFix: fix }
      const { token } = content.bot
      return named(name, ...(await checkBotToken({ ...access, token, needed, texts })))
    },
  )
}
