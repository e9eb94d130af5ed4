/** One row of the table. */
export interface Measurement {
  operation: string
  /** The server that was measured. */
  target: string
  perSecond: number
  /** Latencies in milliseconds. */
  p50: number
  p99: number
}

/** Formats measurements as a table with aligned columns. */
export function formatTable(measurements: readonly Measurement[]): string {
  const lines = [
    ['', '', 'per second', 'p50 ms', 'p99 ms'],
    ...measurements.map(({ operation, target, perSecond, p50, p99 }) => [
      operation,
      target,
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
