import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, parseDocument, type Document } from 'yaml'

const MANIFEST_PATH = join(import.meta.dirname, '../manifest.yml')

/** Slack's description of the app, as it stands in manifest.yml. */
export function readManifest(): Record<string, unknown> {
  return document().toJS() as Record<string, unknown>
}

/**
 * The manifest's text for one deployment.
 *
 * @param target `{url}`: where Slack reaches the app; `'socket'`: for Socket Mode, without addresses
 */
export function manifestText(target: { url: string } | 'socket'): string {
  const manifest = document()
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
  if (target === 'socket') manifest.deleteIn(redirects)
  else manifest.setIn([...redirects, 0], `${withoutSlash(target.url)}/slack/oauth_redirect`)
  manifest.setIn(['settings', 'socket_mode_enabled'], target === 'socket')
  manifest.commentBefore =
    ' Slack’s description of the app. Paste it where a new app is made from a manifest.'
  return manifest.toString({ lineWidth: 0 })
}

/** The bot scopes that the app asks for. Slack knows by the manifest which of them are optional. */
export function botScopes(): readonly string[] {
  const { oauth_config } = document().toJS() as { oauth_config: { scopes: { bot: string[] } } }
  return oauth_config.scopes.bot
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

function document(): Document {
  const manifest = parseDocument(readFileSync(MANIFEST_PATH, 'utf8'))
  if (!isMap(manifest.contents)) throw new Error('manifest.yml is not a mapping')
  return manifest
}
