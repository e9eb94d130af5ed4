import { z } from 'zod'
import { clickFigures, figuresText } from '../../chart/click-figures.ts'
import { formatCount } from '../../web/numbers.ts'
import { readNamedClicks } from '../clicks/read-clicks.ts'
import { dataText, linkData, toLinkData } from './link-data.ts'
import { defineTool } from './tools.ts'

const count = z.int().optional()

export const linkClicks = defineTool({
  name: 'link_clicks',
  title: 'Clicks on a short link',
  description: 'Says how often people clicked a short link, and where they came from.',
  inputSchema: z.object({
    link: z.string().max(2_000).describe('A short URL, or its back-half, such as spring-sale.'),
  }),
  outputSchema: z.object({
    link: linkData,
    clicks: z
      .object({
        today: count,
        last_7_days: count,
        last_30_days: count,
        total: count,
        referrers: z
          .array(z.object({ host: z.string(), people: z.int() }))
          .optional()
          .describe('Where people came from in the last 30 days. An empty host is unknown.'),
      })
      .describe(
        'Clicks by people. Days are in UTC. Figures that the link service doesn’t report are absent.',
      ),
  }),
  async run({ platform, caller }, input) {
    const { link: counted, clicks, total } = await readNamedClicks(platform, caller, input.link)
    const link = toLinkData(counted, platform.clock.now())
    if (!clicks) {
      const text =
        total === undefined
          ? 'This workspace’s link service doesn’t report clicks.'
          : `${formatCount(total, 'click')} in total. This workspace’s link service doesn’t report when links were clicked.`
      return { text, data: { link, clicks: { total } } }
    }
    const { today, last7Days, last30Days, total: all } = clickFigures(clicks)
    const referrers = clicks.referrers.map(({ host, people }) => ({ host: dataText(host), people }))
    return {
      text: figuresText(clicks),
      data: {
        link,
        clicks: { today, last_7_days: last7Days, last_30_days: last30Days, total: all, referrers },
      },
    }
  },
})
