import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { manifestText, readManifest } from '../src/manifest.ts'

test('for an address, every request of Slack goes to its /slack/events', () => {
  const text = manifestText({ url: 'https://links.example.org/' })
  expect(text.match(/https:\/\/links\.example\.org\/slack\/events/g)).toHaveLength(3)
  expect(text).not.toContain('backhalf.example.com')
  expect(text).not.toContain('npm run manifest')
  expect(parse(text)).toMatchObject({ settings: { socket_mode_enabled: false } })
})

test('for Socket Mode there is no address at all', () => {
  const text = manifestText('socket')
  expect(text).not.toContain('/slack/events')
  expect(parse(text)).toMatchObject({
    settings: { socket_mode_enabled: true, interactivity: { is_enabled: true } },
  })
})

test('the rest of the manifest, and the reasons for its scopes, stay as they are', () => {
  const text = manifestText('socket')
  expect(text).toContain('files:read # reads the preview image')
  expect(parse(text)).toMatchObject({
    oauth_config: readManifest()['oauth_config'] as object,
  })
})
