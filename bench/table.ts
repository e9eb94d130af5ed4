/** One line of a benchmark. */
export interface Measurement {
  /** What was asked for. */
  what: string
  /** Of whom. */
  where: string
  perSecond: number
  /** Latencies in milliseconds. */
  p50: number
  p99: number
}

/** The measurements as a table; cases of one kind stand together. */
export function table(measurements: readonly Measurement[]): string {
  const lines = [
    ['', '', 'a second', 'p50 ms', 'p99 ms'],
    ...measurements.map(({ what, where, perSecond, p50, p99 }) => [
      what,
      where,
      Math.round(perSecond).toLocaleString('en'),
      String(p50),
      String(p99),
    ]),
  ]
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((text, column) =>
          column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}
