import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { ChartPictures } from '../../chart/chart-pictures.ts'
import { stackedChartFile, type StackedChart } from '../../chart/stacked-chart.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import {
  createPictureLinks,
  createPictures,
  pictureRoutes,
  type DrawnPictures,
  type PictureAccess,
  type PictureLinks,
} from '../platform/pictures.ts'

export type ChartLinks = PictureLinks<StackedChart>

const MAX_DAYS = 366

export function createChartLinks(keyring: Keyring): ChartLinks {
  const people = z.array(z.int().nonnegative()).min(1).max(MAX_DAYS)
  const series = z.array(z.object({ name: z.string(), people })).min(1)
  const chart = z.object({ title: z.string(), from: z.iso.date(), series })
  return createPictureLinks(keyring, '/chart', 'chart', chart)
}

/**
 * Provides charts of clicks as pictures. A chart's URL contains its figures, so that no chart is stored. If the URL
 * would be too long, for example for a year of several sources, the chart is uploaded to Slack.
 */
export function createChartSource(
  options: PictureAccess & { charts: Pick<ChartPictures, 'draw'>; chartLinks: ChartLinks },
): DrawnPictures<StackedChart> {
  const { charts, chartLinks } = options
  return createPictures(options, chartLinks, async (chart) => ({
    file: Buffer.from(await charts.draw(stackedChartFile(chart))),
    filename: 'clicks.png',
    title: 'Clicks',
    alt_text: `Clicks: ${chart.title}`,
  }))
}

export function chartImageRoutes(
  chartLinks: ChartLinks,
  charts: Pick<ChartPictures, 'draw'>,
): FastifyPluginAsync {
  return pictureRoutes(chartLinks, (chart) =>
    // This fails if too many charts are drawn at once, or if a chart takes too long.
    charts.draw(stackedChartFile(chart)).catch(() => undefined),
  )
}
