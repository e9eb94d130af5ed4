import { expect, test } from 'vitest'
import { classifyVisitor } from '../../../src/service/redirect/visitor.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36'

test.each([
  [CHROME, 'person'],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'card_crawler'],
  ['WhatsApp/2.23.20.0', 'card_crawler'],
  ['TelegramBot (like TwitterBot)', 'card_crawler'],
  ['Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)', 'card_crawler'],
  ['Mozilla/5.0 Chrome/56.0.2924.87 Safari/537.36 Google-PageRenderer Google', 'card_crawler'],
  ['Mozilla/5.0 (compatible; ZulipURLPreview/10.1; +https://chat.example)', 'card_crawler'],
  ['Pleroma 2.7.0; https://social.example <admin@social.example>; Bot', 'card_crawler'],
  ['Akkoma 3.13.2-0-gabcdef1; https://social.example <admin@social.example>; Bot', 'card_crawler'],
  ['gotosocial/0.19.2+git-90851fc (+https://social.example)', 'card_crawler'],
  ['Our Town; social.example (gofed/activity gotosocial-0.5.2)', 'card_crawler'],
  ['http.rb/5.2.0 (Mastodon/4.3.0; +https://social.example/)', 'card_crawler'],
  // AI and search crawlers, and programs that fetch the image of a mail, need the destination.
  ['meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters)', 'bot'],
  ['meta-externalfetcher/1.1', 'bot'],
  ['meta-webindexer/1.1', 'bot'],
  ['Mozilla/5.0 (Linux; Android 5.0) Mobile Safari/537.36 (compatible; TikTokSpider)', 'bot'],
  ['Slack-ImgProxy 0.59 (+https://api.slack.com/robots)', 'bot'],
  ['Mozilla/5.0 (rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)', 'bot'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
  ['curl/8.9.1', 'bot'],
  ['', 'bot'],
  [undefined, 'bot'],
])('classifies %s as %s', (userAgent, visitor) => {
  expect(classifyVisitor(userAgent)).toBe(visitor)
})

test('a person in an app that also has a crawler is a person', () => {
  expect(
    classifyVisitor(`${CHROME.replace('Windows', 'Linux; Android 16; wv')} MetaIAB Facebook`),
  ).toBe('person')
})
