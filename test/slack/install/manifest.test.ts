import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { botScopes, manifestText, readManifest } from '../../../src/slack/install/manifest.ts'

const DOMAINS = ['go.example.com', 'xn--bcher-kva.example']

test('sends every request to /slack/events of the given URL', () => {
  const text = manifestText({ url: 'https://links.example.org/' }, DOMAINS)
  expect(text.match(/https:\/\/links\.example\.org\/slack\/events/g)).toHaveLength(3)
  expect(parse(text)).toMatchObject({
    oauth_config: { redirect_urls: ['https://links.example.org/slack/oauth_redirect'] },
    settings: { socket_mode_enabled: false },
  })
  expect(text).not.toContain('backhalf.example.com')
  expect(text).not.toContain('npm run manifest')
})

test('contains no URL for Socket Mode, but the deployment’s unfurl domains', () => {
  const text = manifestText('socket', DOMAINS)
  expect(text).not.toContain('/slack/events')
  expect(text).not.toContain('redirect_urls')
  expect(parse(text)).toMatchObject({
    settings: { socket_mode_enabled: true, interactivity: { is_enabled: true } },
    features: { unfurl_domains: DOMAINS },
  })
})

test('redirects browsers to the public URL in Socket Mode if it uses https', () => {
  const text = manifestText('socket', DOMAINS, 'https://links.example.org/')
  expect(parse(text)).toMatchObject({
    oauth_config: { redirect_urls: ['https://links.example.org/slack/oauth_redirect'] },
  })
  expect(text).not.toContain('/slack/events')
  expect(manifestText('socket', DOMAINS, 'http://links.example.org')).not.toContain('redirect')
})

test('keeps the scopes and the comments that explain them', () => {
  const text = manifestText('socket', DOMAINS)
  const { scopes } = readManifest()['oauth_config'] as { scopes: Record<string, string[]> }
  for (const scope of scopes['bot'] ?? []) expect(text).toMatch(`- ${scope} # `)
  expect(parse(text)).toMatchObject({ oauth_config: { scopes } })
})

test('requests every optional scope too, because Slack rejects the manifest otherwise', () => {
  const { scopes } = readManifest()['oauth_config'] as { scopes: Record<string, string[]> }
  expect(scopes['bot_optional']).toEqual(['files:read'])
  expect(botScopes(DOMAINS)).toEqual(scopes['bot'])
  expect(botScopes(DOMAINS)).toEqual(expect.arrayContaining(scopes['bot_optional'] ?? []))
})

test('omits the scopes and events for unfurls if there are no unfurl domains', () => {
  for (const target of ['socket', { url: 'https://links.example.org' }] as const) {
    const text = manifestText(target, [])
    expect(text).toContain('tokens_revoked')
    expect(text).toContain('users:read')
    expect(text).not.toMatch(/unfurl|link_shared|links:/)
  }
  expect(botScopes(DOMAINS)).toEqual(expect.arrayContaining(['links:read', 'links:write']))
  expect(botScopes([]).join()).not.toContain('links:')
})

test('declares the MCP server and its scope only if Slackbot can use the tools, over https', () => {
  const text = manifestText({ url: 'https://links.example.org/', hasMcp: true }, DOMAINS)
  const manifest = parse(text) as Record<string, unknown>
  expect(manifest['mcp_servers']).toEqual({
    backhalf: { url: 'https://links.example.org/slack/mcp', auth_type: 'slack_identity_auth' },
  })
  expect(manifest).toMatchObject({
    oauth_config: { scopes: { bot: [...botScopes(DOMAINS), 'mcp:connect'] } },
  })
  expect(text).toMatch('- mcp:connect # lets Slackbot')
  expect(botScopes(DOMAINS, true)).toEqual([...botScopes(DOMAINS), 'mcp:connect'])
  for (const target of [
    'socket',
    { url: 'https://links.example.org' },
    { url: 'http://localhost:3000', hasMcp: true },
  ] as const) {
    expect(manifestText(target, DOMAINS)).not.toContain('mcp')
  }
})
