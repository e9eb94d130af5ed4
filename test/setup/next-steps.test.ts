import { readFileSync, statSync } from 'node:fs'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { nextSteps } from '../../src/setup/run-setup.ts'
import { createAppLink } from '../../src/setup/slack-questions.ts'
import { manifestText } from '../../src/slack/install/manifest.ts'

test('names the icon, whose size Slack accepts', () => {
  const text = nextSteps({ mode: 'socket', workspaces: 'one' }, {})
  const [path = ''] = /\/\S+\.png$/m.exec(text) ?? []
  const { width, height } = PNG.sync.read(readFileSync(path))
  expect(width).toBe(height)
  expect(width).toBeGreaterThanOrEqual(512)
  expect(width).toBeLessThanOrEqual(2_000)
  expect(statSync(path).size).toBeLessThan(1_000_000)
})

test('says what else each way needs', () => {
  const socket = nextSteps({ mode: 'socket', workspaces: 'one' }, {})
  expect(socket).not.toMatch(/Request URL|\/slack\/install|\/shorten connect/)
  const http = nextSteps(
    { mode: 'http', workspaces: 'many' },
    { PUBLIC_URL: 'https://links.example.com/', SHORTLINK_BASE_URL: 'https://other.example.com' },
  )
  expect(http).toContain('If Slack says that the Request URL is not verified')
  expect(http).toContain('https://links.example.com/slack/install')
  expect(http).toContain('/shorten connect')
})

test('the link to create the app contains the whole manifest, and is short enough for every browser', () => {
  const manifest = manifestText(
    { url: 'https://backhalf-for-everyone.marketing.example.com' },
    ['go', 'links', 'news', 'press', 'jobs'].map((name) => `${name}.marketing.example.com`),
  )
  const link = createAppLink(manifest)
  expect(link).toMatch(/^https:\/\/api\.slack\.com\/apps\?new_app=1&manifest_yaml=[\w%.~!*'()-]+$/)
  expect(parse(new URL(link).searchParams.get('manifest_yaml') ?? '')).toEqual(parse(manifest))
  expect(link.length).toBeLessThan(8_000)
})
