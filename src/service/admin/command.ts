import type { ServiceContext } from '../store/context.ts'

/** An admin command: reads its arguments, does its work, and reports the result. */
export type AdminCommand = (args: string[], context: ServiceContext) => Promise<Report>

/** A command failed. The message is for the admin who typed it. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}

type Row = Record<string, string | number | null | readonly string[]>

/** The result of a command: `data` as JSON for scripts, or as text for people. */
export interface Report {
  /** One record, or a list of records. */
  data: Row | Row[]
  /** Printed before the data. */
  message?: string
  /** Whether the command failed. The exit code is then 1. */
  failed?: boolean
}

/** Formats a report for people: a list as a table, a record with one line for each field. */
export function formatReport({ data, message }: Report): string {
  const lines = Array.isArray(data) ? formatTable(data) : formatRecord(data)
  return [...(message ? [message, ''] : []), ...lines, ''].join('\n')
}

function formatRecord(row: Row): string[] {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  return Object.entries(row).map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`)
}

function formatTable(rows: Row[]): string[] {
  const [first] = rows
  if (!first) return ['None.']
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => formatCell(row[name] ?? null)))]
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  )
  return lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Replaces control characters, which could move the cursor of the terminal: users choose names. */
function formatCell(value: Row[string]): string {
  if (value === null) return '-'
  const text = typeof value === 'object' ? value.join(', ') : String(value)
  return text.replaceAll(/\p{Cc}/gu, ' ')
}

/**
 * Reads all rows of a list, some at a time.
 *
 * @param readSome returns the rows after the one with an id; none at the end
 */
export async function readAll<T extends { id: string }>(
  readSome: (after: string | undefined) => Promise<T[]>,
): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const some = await readSome(rows.at(-1)?.id)
    if (some.length === 0) return rows
    rows.push(...some)
  }
}
