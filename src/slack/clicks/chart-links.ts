import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { ChartPictures } from '../../chart/chart-pictures.ts'
import type { DayClicks } from '../../chart/click-figures.ts'
import { chartFile } from '../../chart/clicks-chart.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import { createPictureLinks, pictureRoutes, type PictureLinks } from '../platform/picture-links.ts'

export interface ChartContent {
  shortUrl: string
  /** The first day, `YYYY-MM-DD` in UTC. */
  from: string
  /** The clicks of people on each day, the first day first. */
  people: readonly number[]
}

/** The file names of charts, below `/chart/`. */
export type ChartLinks = PictureLinks<ChartContent>

const MAX_DAYS = 366

export function createChartLinks(keyring: Keyring): ChartLinks {
  return createPictureLinks<ChartContent>(keyring, '/chart', 'chart', {
    encode: ({ shortUrl, from, people }) => [shortUrl, from, people],
    decoder: z
      .tuple([z.string(), z.iso.date(), z.array(z.int().nonnegative()).min(1).max(MAX_DAYS)])
      .transform(([shortUrl, from, people]) => ({ shortUrl, from, people })),
  })
}

/** @throws Error if it can't be drawn now */
export async function drawChart(
  charts: Pick<ChartPictures, 'draw'>,
  { shortUrl, from, people }: ChartContent,
): Promise<Uint8Array> {
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
