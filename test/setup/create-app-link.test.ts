import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createAppLink } from '../../src/setup/create-app.ts'
import { manifestText } from '../../src/slack/install/manifest.ts'

/** The manifest that Slack finds in the link. */
const manifestIn = (link: string): unknown =>
  parse(new URL(link).searchParams.get('manifest_yaml') ?? '')

test.each([
  ['Socket Mode', manifestText('socket', [])],
  [
    'HTTP, with a card for five domains',
    manifestText(
      { url: 'https://backhalf-for-everyone.marketing.example.com' },
      ['go', 'links', 'news', 'press', 'jobs'].map((name) => `${name}.marketing.example.com`),
    ),
  ],
])('the link for %s contains the whole manifest', (_mode, manifest) => {
  const link = createAppLink(manifest)
  expect(link).toMatch(/^https:\/\/api\.slack\.com\/apps\?new_app=1&manifest_yaml=[\w%.~!*'()-]+$/)
  expect(manifestIn(link)).toEqual(parse(manifest))
  // Browsers and servers take this much everywhere.
  expect(link.length).toBeLessThan(8_000)
})
