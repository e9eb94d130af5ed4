import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { ChartPictures } from '../../chart/chart-pictures.ts'
import { stackedChartFile, type StackedChart } from '../../chart/stacked-chart.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import { createPictureLinks, pictureRoutes, type PictureLinks } from '../platform/picture-links.ts'
import { createPictures, type PictureAccess } from '../platform/pictures.ts'

export type ChartLinks = PictureLinks<StackedChart>

const MAX_DAYS = 366

export function createChartLinks(keyring: Keyring): ChartLinks {
  const people = z.array(z.int().nonnegative()).min(1).max(MAX_DAYS)
  const series = z.array(z.object({ name: z.string(), people })).min(1)
  return createPictureLinks<StackedChart>(keyring, '/chart', 'chart', {
    encode: (chart) => chart,
    decoder: z.object({ title: z.string(), from: z.iso.date(), series }),
  })
}

export interface ChartOptions extends Pick<PictureAccess, 'publicUrl'> {
  charts: Pick<ChartPictures, 'draw'>
  chartLinks: ChartLinks
}

/** A chart is uploaded if its URL would be too long, as for a year of several sources. */
export function createChartSources({
  charts,
  chartLinks,
  ...access
}: ChartOptions & Omit<PictureAccess, 'publicUrl'>) {
  return createPictures<StackedChart>({
    ...access,
    links: chartLinks,
    draw: async (chart) => ({
      file: Buffer.from(await charts.draw(stackedChartFile(chart))),
      filename: 'clicks.png',
      title: 'Clicks',
      alt_text: `Clicks: ${chart.title}`,
    }),
  })
}

export function chartImageRoutes(
  chartLinks: ChartLinks,
  charts: Pick<ChartPictures, 'draw'>,
): FastifyPluginAsync {
  return pictureRoutes(chartLinks, (chart) =>
    // Too many charts are drawn at once, or one takes too long.
    charts.draw(stackedChartFile(chart)).catch(() => undefined),
  )
}
