import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml'
import { withoutSlash } from '../../contract/endpoints.ts'
import { COMMAND } from '../ids.ts'

const MCP_SCOPE = 'mcp:connect'

const MANIFEST_PATH = join(import.meta.dirname, '../../../manifest.yml')

/** What only unfurls need. Without a domain to unfurl, it is removed, so that the app doesn't ask for these scopes. */
const UNFURL_ENTRIES = [
  { in: ['oauth_config', 'scopes', 'bot'], values: ['links:read', 'links:write'] },
  { in: ['settings', 'event_subscriptions', 'bot_events'], values: ['link_shared'] },
]

export function readManifest(unfurlDomains?: readonly string[]): Record<string, unknown> {
  return document(unfurlDomains).toJS() as Record<string, unknown>
}

/**
 * Writes manifest.yml for this deployment, with its addresses and domains.
 * @param target the address at which Slack reaches the app, or `'socket'` for Socket Mode. `hasMcp` needs https
 * @param publicUrl the address at which browsers reach the app in Socket Mode. Slack redirects there after an
 *   installation, if the address has https
 */
export function manifestText(
  target: { url: string; hasMcp?: boolean } | 'socket',
  unfurlDomains: readonly string[],
  publicUrl?: string,
): string {
  const manifest = document(unfurlDomains)
  const requestUrls = [
    ['features', 'slash_commands', 0, 'url'],
    ['settings', 'event_subscriptions', 'request_url'],
    ['settings', 'interactivity', 'request_url'],
  ]
  for (const path of requestUrls) {
    if (target === 'socket') manifest.deleteIn(path)
    else manifest.setIn(path, `${withoutSlash(target.url)}/slack/events`)
  }
  const redirects = ['oauth_config', 'redirect_urls']
  const browserUrl = target === 'socket' ? publicUrl : target.url
  if (!browserUrl || !/^https:/i.test(browserUrl)) manifest.deleteIn(redirects)
  else manifest.setIn([...redirects, 0], `${withoutSlash(browserUrl)}/slack/oauth_redirect`)
  manifest.setIn(['settings', 'socket_mode_enabled'], target === 'socket')
  if (target !== 'socket' && target.hasMcp && /^https:/i.test(target.url)) {
    const url = `${withoutSlash(target.url)}/slack/mcp`
    manifest.setIn(
      ['mcp_servers'],
      manifest.createNode({ backhalf: { url, auth_type: 'slack_identity_auth' } }),
    )
    const scope = manifest.createNode(MCP_SCOPE)
    scope.comment = ' lets Slackbot use the tools of the server above'
    manifest.addIn(['oauth_config', 'scopes', 'bot'], scope)
  }
  manifest.commentBefore =
    ' The app’s manifest. Paste it into Slack when you create an app from a manifest.'
  return manifest.toString({ lineWidth: 0 })
}

export function botScopes(unfurlDomains: readonly string[], hasMcp = false): readonly string[] {
  return [...scopes(unfurlDomains).bot, ...(hasMcp ? [MCP_SCOPE] : [])]
}

export function optionalBotScopes(): readonly string[] {
  return scopes().bot_optional
}

function scopes(unfurlDomains?: readonly string[]): { bot: string[]; bot_optional: string[] } {
  const manifest = readManifest(unfurlDomains) as {
    oauth_config: { scopes: { bot: string[]; bot_optional: string[] } }
  }
  return manifest.oauth_config.scopes
}

function document(unfurlDomains?: readonly string[]): Document {
  const manifest = parseDocument(readFileSync(MANIFEST_PATH, 'utf8'))
  if (!isMap(manifest.contents)) throw new Error('manifest.yml is not a mapping')
  manifest.setIn(['features', 'slash_commands', 0, 'command'], COMMAND)
  if (unfurlDomains?.length === 0) removeUnfurls(manifest)
  else if (unfurlDomains) manifest.setIn(['features', 'unfurl_domains'], unfurlDomains)
  return manifest
}

function removeUnfurls(manifest: Document): void {
  manifest.deleteIn(['features', 'unfurl_domains'])
  for (const { in: path, values } of UNFURL_ENTRIES) {
    const list = manifest.getIn(path)
    if (!isSeq(list)) throw new Error(`${path.join('.')} is not a list in manifest.yml`)
    list.items = list.items.filter(
      (item) => !isScalar(item) || !values.includes(String(item.value)),
    )
  }
}
