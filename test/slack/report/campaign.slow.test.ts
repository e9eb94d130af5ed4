import { expect } from 'vitest'
import type { Message } from '../../../src/simulator/protocol.ts'
import { systemClock } from '../../../src/timing/clock.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

let time = Date.parse('2026-10-25T12:00:00Z')
const { test, ana } = withApp({ clock: { ...systemClock, now: () => time } })

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

/** Creates a link. @returns its short URL */
async function shorten(options: string): Promise<string> {
  const message = await ana.asks(`/shorten ${options} qr=off`, { for: 'leads to' })
  return /http:\/\/localhost:\d+\/[\w-]+/.exec(texts(message))?.[0] ?? ''
}

async function click(shortUrl: string, times: number): Promise<void> {
  const options = { redirect: 'manual', headers: { 'user-agent': BROWSER } } as const
  for (let time = 0; time < times; time++) await fetch(shortUrl, options)
}

const shownIn = (message: Message): string => texts(message).replaceAll(/[\u2068\u2069]/g, '')

/** Types the command until the clicks are counted, which takes a second. */
async function report(text: string, total: string): Promise<string> {
  for (;;) {
    const shown = shownIn(await ana.asks(`/shorten report ${text}`, { for: '*Clicks on ' }))
    if (shown.includes(`*${total}*`)) return shown
  }
}

test('reports the clicks of a campaign and of a tag', async () => {
  const sale = await shorten(
    'https://example.com/sale sale title="Spring sale" utm_campaign=spring-sale utm_source=newsletter tags=print',
  )
  const news = await shorten('https://example.com/news news utm_campaign=spring-sale')
  const other = await shorten('https://example.com/other other utm_campaign=other tags=print')
  await click(sale, 4)
  await click(other, 2)
  expect(await report('spring-sale', '4 clicks')).toContain('There were none in the 25 days before')

  time = Date.parse('2026-11-10T08:00:00Z')
  await click(sale, 5)
  await click(news, 1)
  const campaign = await report('spring-sale', '6 clicks')
  expect(campaign).toContain('*Clicks on campaign “spring-sale”*\\nNov 1 – Nov 10, 2026 (UTC)')
  expect(campaign).toContain('+50% compared with 4 in the 10 days before (Oct 22 – Oct 31, 2026)')
  expect(campaign).toContain('newsletter: 5. No source: 1')
  expect(campaign).toMatch(
    /1\. <(\S+)\/sale\|localhost:\d+\/sale> → example\.com {2}· {2}Spring sale {2}· {2}5 clicks \(\+25%\)\\n2\. <\1\/news\|/,
  )
  const tag = await report('tag:print last month', '6 clicks')
  expect(tag).toContain('Oct 1 – Oct 31, 2026 (UTC)')
  await report('tag:PRINT source:newsletter', '5 clicks')
  await report('Spring_Sale', '6 clicks')
  await report('source:NEWSLETTER', '5 clicks')
  const typo = await ana.asks('/shorten report Spring-Sal', { for: 'No link has the campaign' })
  expect(shownIn(typo)).toContain(
    'No link has the campaign *Spring-Sal*. Did you mean *spring-sale*?',
  )
  await ana.presses('spring-sale', { in: 'general', message: typo })
  await ana.gets('*6 clicks*')
  const tagged = await ana.asks('/shorten report print', {
    for: 'No link has the campaign *print*.',
  })
  expect(shownIn(tagged)).toContain('/shorten report tag:NAME')
  await shorten('https://example.com/new utm_campaign=not-clicked')
  await report('not_clicked', 'No clicks')
})
