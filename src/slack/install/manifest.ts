import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml'

const MANIFEST_PATH = join(import.meta.dirname, '../../../manifest.yml')

/** What unfurls alone need: without a domain there is no reason to ask for it. */
const FOR_UNFURLS = [
  { in: ['oauth_config', 'scopes', 'bot'], values: ['links:read', 'links:write'] },
  { in: ['settings', 'event_subscriptions', 'bot_events'], values: ['link_shared'] },
]

/**
 * Slack's description of the app.
 *
 * @param unfurlDomains hostnames whose links the app unfurls; absent: as they stand in manifest.yml
 */
export function readManifest(unfurlDomains?: readonly string[]): Record<string, unknown> {
  return document(unfurlDomains).toJS() as Record<string, unknown>
}

/**
 * The manifest's text for one deployment.
 *
 * @param target `{url}`: where Slack reaches the app; `'socket'`: for Socket Mode, without such an address
 * @param unfurlDomains hostnames whose links the app unfurls, at most five
 * @param publicUrl where browsers reach the app in Socket Mode, if they do: Slack sends them back there
 *   when a workspace installs it, and to https only
 */
export function manifestText(
  target: { url: string } | 'socket',
  unfurlDomains: readonly string[],
  publicUrl?: string,
): string {
  const manifest = document(unfurlDomains)
  const places = [
    ['features', 'slash_commands', 0, 'url'],
    ['settings', 'event_subscriptions', 'request_url'],
    ['settings', 'interactivity', 'request_url'],
  ]
  for (const place of places) {
    if (target === 'socket') manifest.deleteIn(place)
    else manifest.setIn(place, `${withoutSlash(target.url)}/slack/events`)
  }
  const redirects = ['oauth_config', 'redirect_urls']
  const browsers = target === 'socket' ? publicUrl : target.url
  if (!browsers || !/^https:/i.test(browsers)) manifest.deleteIn(redirects)
  else manifest.setIn([...redirects, 0], `${withoutSlash(browsers)}/slack/oauth_redirect`)
  manifest.setIn(['settings', 'socket_mode_enabled'], target === 'socket')
  manifest.commentBefore =
    ' Slack’s description of the app. Paste it where a new app is made from a manifest.'
  return manifest.toString({ lineWidth: 0 })
}

/** The bot scopes that the app asks for. Slack knows by the manifest which of them are optional. */
export function botScopes(unfurlDomains: readonly string[]): readonly string[] {
  const manifest = readManifest(unfurlDomains) as { oauth_config: { scopes: { bot: string[] } } }
  return manifest.oauth_config.scopes.bot
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

function document(unfurlDomains?: readonly string[]): Document {
  const manifest = parseDocument(readFileSync(MANIFEST_PATH, 'utf8'))
  if (!isMap(manifest.contents)) throw new Error('manifest.yml is not a mapping')
  if (unfurlDomains?.length === 0) removeUnfurls(manifest)
  else if (unfurlDomains) manifest.setIn(['features', 'unfurl_domains'], unfurlDomains)
  return manifest
}

function removeUnfurls(manifest: Document): void {
  manifest.deleteIn(['features', 'unfurl_domains'])
  for (const { in: path, values } of FOR_UNFURLS) {
    const list = manifest.getIn(path)
    if (!isSeq(list)) throw new Error(`${path.join('.')} is not a list in manifest.yml`)
    list.items = list.items.filter(
      (item) => !isScalar(item) || !values.includes(String(item.value)),
    )
  }
}
