import { z } from 'zod'
import { changeText, rangeText } from '../../chart/click-figures.ts'
import type { Report, ReportQuery } from '../../contract/report.ts'
import { formatCount } from '../../web/numbers.ts'
import { readReport } from '../report/read-report.ts'
import { unknownText } from '../report/report-message.ts'
import { aboutText, toReportQuery } from '../report/report-query.ts'
import { dataText } from './link-data.ts'
import { defineTool } from './tools.ts'

const nameFilter = z
  .string()
  .trim()
  .max(300)
  .optional()
  .transform((text) => text || undefined)

const people = z.int().describe('Clicks by people.')

export const campaignReport = defineTool({
  name: 'campaign_report',
  title: 'Report on a campaign',
  description:
    'Adds up the clicks on the links of a campaign, source, medium or tag in a period, and compares them with the period before. Without a name, it is about all links.',
  inputSchema: z.object({
    campaign: nameFilter.describe('Only links with this UTM campaign.'),
    source: nameFilter.describe('Only links with this UTM source.'),
    medium: nameFilter.describe('Only links with this UTM medium.'),
    tag: nameFilter.describe('Only links with this tag. Several tags are separated by commas.'),
    period: z
      .string()
      .max(100)
      .default('this month')
      .describe(
        'Such as today, yesterday, this week, last month, last 30 days, 2026-11 or 2026-11-01 – 2026-11-23.',
      ),
  }),
  outputSchema: z.object({
    from: z.string().describe('The first day, in UTC.'),
    to: z.string(),
    people,
    previous_people: z.int().describe('Clicks by people in the period before.'),
    sources: z.array(
      z.object({ source: z.string().describe('Empty for links without a source.'), people }),
    ),
    best_links: z.array(z.object({ short_url: z.string(), title: z.string().optional(), people })),
    unknown: z
      .array(z.string())
      .describe('A sentence for each requested name that no link has, with similar names.'),
  }),
  async run({ platform, caller }, { period, ...filters }) {
    const query = toReportQuery(filters, period, platform.clock.now())
    const { report, links } = await readReport(platform, caller, query)
    const { from, to, total_people, previous_people, groups, unknown = [] } = report
    const clickedLinks = links.groups.filter((link) => link.people > 0)
    return {
      text: summary(query, report),
      data: {
        from,
        to,
        people: total_people,
        previous_people,
        sources: groups.map((group) => ({ source: dataText(group.label), people: group.people })),
        best_links: clickedLinks.map((link) => ({
          short_url: dataText(link.label, Infinity),
          ...(link.title && { title: dataText(link.title) }),
          people: link.people,
        })),
        unknown: unknown.map((name) => dataText(unknownText(name, (text) => `“${text}”`))),
      },
    }
  },
})

function summary(query: ReportQuery, report: Report): string {
  const { from, to, total_people, unknown = [] } = report
  const subject = `Clicks on ${dataText(aboutText(query), 500)}, ${rangeText(from, to)} (UTC)`
  if (unknown.length === 1) return `${subject}: no link has this name.`
  if (unknown.length > 1) return `${subject}: no link has ${unknown.length} of these names.`
  return `${subject}: ${formatCount(total_people, 'click')} by people. ${changeText(report)}.`
}
