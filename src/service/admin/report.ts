type Row = Record<string, string | number | null | readonly string[]>

/** What a command has to say: `data` for scripts, and the same for people. */
export interface Report {
  /** One thing, or a list of them. */
  data: Row | Row[]
  /** In front of the data. */
  message?: string
}

/** A report for people: a list becomes a table, one thing a line a member. */
export function textOf({ data, message }: Report): string {
  const lines = Array.isArray(data) ? table(data) : members(data)
  return [...(message ? [message, ''] : []), ...lines, ''].join('\n')
}

function members(row: Row): string[] {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  return Object.entries(row).map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
}

function table(rows: Row[]): string[] {
  const [first] = rows
  if (!first) return ['There are none.']
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name] ?? null)))]
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

/** Names come from people: a control character must not move the terminal's cursor. */
function cell(value: Row[string]): string {
  if (value === null) return '-'
  const text = typeof value === 'object' ? value.join(', ') : String(value)
  return text.replaceAll(/\p{Cc}/gu, ' ')
}
