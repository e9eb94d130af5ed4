import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { ChartPictures } from '../../chart/chart-pictures.ts'
import type { DayClicks } from '../../chart/click-figures.ts'
import { chartFile } from '../../chart/clicks-chart.ts'
import { stackedChartFile, type StackedChart } from '../../chart/stacked-chart.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import { createPictureLinks, pictureRoutes, type PictureLinks } from '../platform/picture-links.ts'
import { createPictures, type PictureAccess } from '../platform/pictures.ts'

interface ClicksChart {
  shortUrl: string
  /** The first day, `YYYY-MM-DD` in UTC. */
  from: string
  /** The clicks of people on each day, the first day first. */
  people: readonly number[]
}

/** The clicks on a link, or those of a report. */
export type ChartContent = ClicksChart | StackedChart

/** The file names of charts, below `/chart/`. */
export type ChartLinks = PictureLinks<ChartContent>

const MAX_DAYS = 366

const counts = z.array(z.int().nonnegative()).min(1).max(MAX_DAYS)

export function createChartLinks(keyring: Keyring): ChartLinks {
  return createPictureLinks<ChartContent>(keyring, '/chart', 'chart', {
    encode: (content) =>
      'series' in content ? content : [content.shortUrl, content.from, content.people],
    decoder: z
      .tuple([z.string(), z.iso.date(), counts])
      .transform(([shortUrl, from, people]): ChartContent => ({ shortUrl, from, people }))
      .or(
        z.object({
          title: z.string(),
          from: z.iso.date(),
          series: z.array(z.object({ name: z.string(), people: counts })).min(1),
        }),
      ),
  })
}

export interface ChartOptions extends Pick<PictureAccess, 'publicUrl'> {
  charts: Pick<ChartPictures, 'draw'>
  chartLinks: ChartLinks
}

/** Charts in messages. One whose address would be too long, such as a year of several sources, is uploaded. */
export function createChartSources({
  charts,
  chartLinks,
  ...access
}: ChartOptions & Omit<PictureAccess, 'publicUrl'>) {
  return createPictures<ChartContent>({
    ...access,
    links: chartLinks,
    draw: async (content) => ({
      file: Buffer.from(await drawChart(charts, content)),
      filename: 'clicks.png',
      title: 'Clicks',
      alt_text: 'series' in content ? content.title : `Clicks on ${content.shortUrl}`,
    }),
  })
}

/** @throws Error if it can't be drawn now */
async function drawChart(
  charts: Pick<ChartPictures, 'draw'>,
  content: ChartContent,
): Promise<Uint8Array> {
  if ('series' in content) return charts.draw(stackedChartFile(content))
  const { shortUrl, from, people } = content
  const days = people.map((count, at): DayClicks => ({
    date: new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10),
    people: count,
    bots: 0,
  }))
  return charts.draw(chartFile({ days }, shortUrl))
}

const DAY_MS = 86_400_000

/** `GET /chart/{file}`: the charts in Slack messages. */
export function chartImageRoutes(
  chartLinks: ChartLinks,
  charts: Pick<ChartPictures, 'draw'>,
): FastifyPluginAsync {
  return pictureRoutes(chartLinks, (content) =>
    // Too many charts are drawn at once, or one takes too long.
    drawChart(charts, content).catch(() => undefined),
  )
}
