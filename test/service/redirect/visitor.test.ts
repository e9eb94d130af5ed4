import { expect, test } from 'vitest'
import { classifyVisitor } from '../../../src/service/redirect/visitor.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36'

test.each([
  [CHROME, 'person'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'person',
  ],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'card_crawler'],
  ['Twitterbot/1.0', 'card_crawler'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'card_crawler'],
  ['LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)', 'card_crawler'],
  ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', 'card_crawler'],
  ['WhatsApp/2.23.20.0', 'card_crawler'],
  ['TelegramBot (like TwitterBot)', 'card_crawler'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bot'],
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
