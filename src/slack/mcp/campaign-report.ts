import { z } from 'zod'
import { rangeText } from '../../chart/click-figures.ts'
import { changeText } from '../../chart/report-figures.ts'
import { formatCount } from '../../web/numbers.ts'
import type { LinkPlatform } from '../links/links.ts'
import { readReport } from '../report/read-report.ts'
import { unknownText } from '../report/report-message.ts'
import { aboutText, toReportQuery } from '../report/report-query.ts'
import { dataText } from './link-data.ts'
import { addTool, type Tools } from './tools.ts'

const name = z
  .string()
  .trim()
  .max(300)
  .optional()
  .transform((text) => text || undefined)

const inputSchema = z.object({
  campaign: name.describe('Only links with this UTM campaign.'),
  source: name.describe('Only links with this UTM source.'),
  medium: name.describe('Only links with this UTM medium.'),
  tag: name.describe('Only links with this tag. Several tags are separated by commas.'),
  period: z
    .string()
    .max(100)
    .default('this month')
    .describe(
      'Such as today, yesterday, this week, last month, last 30 days, 2026-11 or 2026-11-01 – 2026-11-23.',
    ),
})

const people = z.int().describe('Clicks by people.')

const outputSchema = z.object({
  from: z.string().describe('The first day, in UTC.'),
  to: z.string(),
  people,
  previous_people: z.int().describe('Clicks by people in the period before.'),
  sources: z.array(z.object({ source: z.string().describe('Empty: none.'), people })),
  best_links: z.array(z.object({ short_url: z.string(), title: z.string().optional(), people })),
  unknown: z.array(z.string()).describe('Names that no link has.'),
})

export function addCampaignReport(tools: Tools, platform: LinkPlatform): void {
  const config = {
    title: 'Report on a campaign',
    description:
      'Adds up the clicks on the links of a campaign, source, medium or tag in a period, and compares them with the period before. Without a name, it is about all links.',
    ...{ inputSchema, outputSchema },
  }
  addTool(tools, 'campaign_report', config, async ({ caller }, { period, ...typed }) => {
    const query = toReportQuery(typed, period, platform.clock.now())
    const { report, links } = await readReport(platform, caller, query)
    const { from, to, total_people, previous_people } = report
    const unknown = (report.unknown ?? []).map((unknownName) =>
      dataText(unknownText(unknownName, (text) => `“${text}”`)),
    )
    const sources = report.groups.map((group) => ({
      source: dataText(group.label),
      people: group.people,
    }))
    const best = links.groups.filter((group) => group.people > 0)
    const best_links = best.map(({ label, title, people }) => ({
      short_url: dataText(label, Infinity),
      ...(title && { title: dataText(title) }),
      people,
    }))
    const days = `${rangeText(from, to)} (UTC)`
    const total = `${formatCount(total_people, 'click')} by people. ${changeText(report)}.`
    const about = dataText(aboutText(query), 500)
    return {
      text: `Clicks on ${about}, ${days}: ${unknown.length > 0 ? 'no link has this name.' : total}`,
      rows: [...unknown.map((note) => ({ note })), ...sources, ...best_links],
      data: { from, to, people: total_people, previous_people, sources, best_links, unknown },
    }
  })
}
