import { z } from 'zod'

export const weeklyReport = z.object({
  channel: z.string(),
  /** From 1 (Monday) to 7. */
  day: z.int().min(1).max(7),
  hour: z.int().min(0).max(23),
  /** A name of the IANA database: `Europe/Berlin`. */
  timeZone: z.string(),
  setBy: z.string(),
})

export type WeeklyReport = z.infer<typeof weeklyReport>

/** An hour that the clocks skip means the hour after it, and an hour that they repeat means the first of the two. */
export function nextReportAt({ day, hour, timeZone }: WeeklyReport, after: number): number {
  const now = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timeZone)
  const inDays = (days: number): number => {
    const date = now.toPlainDate().add({ days })
    return date.toZonedDateTime({ timeZone, plainTime: { hour } }).epochMilliseconds
  }
  const days = (day - now.dayOfWeek + 7) % 7
  return inDays(days) > after ? inDays(days) : inDays(days + 7)
}
