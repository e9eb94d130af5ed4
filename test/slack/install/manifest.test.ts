import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { botScopes, manifestText, readManifest } from '../../../src/slack/install/manifest.ts'

const DOMAINS = ['go.example.com', 'xn--bcher-kva.example']

test('for an address, every request of Slack goes to its /slack/events', () => {
  const text = manifestText({ url: 'https://links.example.org/' }, DOMAINS)
  expect(text.match(/https:\/\/links\.example\.org\/slack\/events/g)).toHaveLength(3)
  expect(parse(text)).toMatchObject({
    oauth_config: { redirect_urls: ['https://links.example.org/slack/oauth_redirect'] },
  })
  expect(text).not.toContain('backhalf.example.com')
  expect(text).not.toContain('npm run manifest')
  expect(parse(text)).toMatchObject({ settings: { socket_mode_enabled: false } })
})

test('for Socket Mode there is no address at all', () => {
  const text = manifestText('socket', DOMAINS)
  expect(text).not.toContain('/slack/events')
  expect(text).not.toContain('redirect_urls')
  expect(parse(text)).toMatchObject({
    settings: { socket_mode_enabled: true, interactivity: { is_enabled: true } },
  })
})

test('in Socket Mode browsers come back to the public address, where there is one with https', () => {
  const text = manifestText('socket', DOMAINS, 'https://links.example.org/')
  expect(parse(text)).toMatchObject({
    oauth_config: { redirect_urls: ['https://links.example.org/slack/oauth_redirect'] },
  })
  expect(text).not.toContain('/slack/events')
  expect(manifestText('socket', DOMAINS, 'http://links.example.org')).not.toContain('redirect')
})

test('the rest of the manifest, and the reasons for its scopes, stay as they are', () => {
  const text = manifestText('socket', DOMAINS)
  const { scopes } = readManifest()['oauth_config'] as { scopes: Record<string, string[]> }
  for (const scope of scopes['bot'] ?? []) expect(text).toMatch(`- ${scope} # `)
  expect(parse(text)).toMatchObject({ oauth_config: { scopes } })
})

test('every optional scope is asked for as well: Slack takes no manifest where one isn’t', () => {
  const { scopes } = readManifest()['oauth_config'] as { scopes: Record<string, string[]> }
  expect(scopes['bot_optional']).toEqual(['files:read'])
  expect(botScopes(DOMAINS)).toEqual(scopes['bot'])
  expect(botScopes(DOMAINS)).toEqual(expect.arrayContaining(scopes['bot_optional'] ?? []))
})

test('the domains whose links unfurl are the deployment’s', () => {
  expect(parse(manifestText('socket', DOMAINS))).toMatchObject({
    features: { unfurl_domains: DOMAINS },
  })
})

test('where no link can unfurl, nothing is asked for that only unfurls need', () => {
  for (const target of ['socket', { url: 'https://links.example.org' }] as const) {
    const text = manifestText(target, [])
    expect(text).toContain('tokens_revoked')
    expect(text).toContain('users:read')
    expect(text).not.toMatch(/unfurl|link_shared|links:/)
  }
  expect(botScopes(DOMAINS)).toEqual(expect.arrayContaining(['links:read', 'links:write']))
  expect(botScopes([]).join()).not.toContain('links:')
})
