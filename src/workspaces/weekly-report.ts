import { z } from 'zod'

export const weeklyReport = z.object({
  /** The ID of the Slack channel. */
  channel: z.string(),
  /** From 1 (Monday) to 7. */
  day: z.int().min(1).max(7),
  /** In the time zone, from 0 to 23. */
  hour: z.int().min(0).max(23),
  /** The admin's time zone, by its name in the IANA database: `Europe/Berlin`. */
  timeZone: z.string(),
  /** The admin who chose this. */
  setBy: z.string(),
})

/** Where and when a workspace's report is posted each week. */
export type WeeklyReport = z.infer<typeof weeklyReport>

/**
 * The next time at which a report is due. An hour that the clocks skip means the hour after it, and an hour that they
 * repeat means the first of the two.
 *
 * @param after milliseconds since 1970
 */
export function nextReportAt({ day, hour, timeZone }: WeeklyReport, after: number): number {
  const now = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timeZone)
  const inDays = (days: number): number => {
    const date = now.toPlainDate().add({ days })
    return date.toZonedDateTime({ timeZone, plainTime: { hour } }).epochMilliseconds
  }
  const days = (day - now.dayOfWeek + 7) % 7
  return inDays(days) > after ? inDays(days) : inDays(days + 7)
}
