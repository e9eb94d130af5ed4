import { recordBackup } from '../../src/database/backup.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { startApp } from '../support/app.ts'
import { openDatabase } from '../support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../support/postgres.ts'
import { parseQuery, type Matcher } from '../support/promql.ts'
import { scrape, type Sample } from '../support/scrape.ts'
import { texts } from '../support/texts.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }

const step = z.strictObject({ value: z.number().nullable(), color: z.string() })
const panel = z.object({
  id: z.number(),
  type: z.enum(['row', 'stat', 'timeseries']),
  title: z.string().min(1),
  gridPos: z.strictObject({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
  datasource: z.unknown().optional(),
  description: z.string().default(''),
  fieldConfig: z
    .object({
      defaults: z.object({
        unit: z.string(),
        thresholds: z.object({ steps: z.array(step) }).optional(),
      }),
    })
    .optional(),
  targets: z
    .array(z.strictObject({ refId: z.string(), legendFormat: z.string(), expr: z.string() }))
    .default([]),
})
const dashboard = z
  .object({
    templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }),
    panels: z.array(panel),
  })
  .parse(JSON.parse(read('deploy/grafana-dashboard.json')))
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const dashboardQueries = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr, legendFormat }) => ({
    title,
    legend: legendFormat,
    ...parseQuery(asPrometheus(expr)),
  })),
)

const { groups } = parse(read('deploy/alerts.yml')) as {
  groups: { rules: { alert: string; expr: string }[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const alertQueries = rules.map(({ alert, expr }) => ({
  title: alert,
  legend: '',
  ...parseQuery(expr),
}))

/** Replaces Grafana's own variables for durations. All other variables are in strings, where any text is valid. */
function asPrometheus(expr: string): string {
  return expr.replaceAll(/\$__(?:rate_interval|range)/g, '5m')
}

/** The samples of the app and its link service after some traffic. */
async function scrapeAfterTraffic(): Promise<Sample[]> {
  const databaseUrl = await createPostgresDatabase(MIGRATED)
  const database = await openDatabase(databaseUrl)
  await recordBackup(database.db, 1)
  await database.close()
  const metrics = { host: '127.0.0.1', port: 0 }
  const app = await startApp({
    config: { databaseUrl, metrics, encryptionKeys: [Buffer.alloc(32, 1)] },
  })
  onTestFinished(() => app.stop())
  const { slack, running } = app
  await slack.ana.types('/shorten https://example.com/page qr=off', { in: 'general' })
  const answer = await slack.until(() => slack.ana.newest('general'))
  const [shortUrl = ''] = /http:\/\/localhost:\d+\/\w+/.exec(texts(answer)) ?? []
  await fetch(shortUrl, { redirect: 'manual' })
  await fetch(`${running.appUrl}/readyz`)
  const families = await scrape(running.metricsUrl ?? '')
  return [...families.values()].flatMap(({ samples }) => samples)
}

/** Labels that Prometheus adds. */
const TARGET = ['job', 'instance']

/** Whether the values that a query looks for are in the scrape, except 5xx: no response of the traffic had one. */
function areFound(values: (string | undefined)[], { operator, value }: Matcher): boolean {
  const alternatives = operator.endsWith('~') ? value.split('|') : [value]
  return alternatives.every((one) => one === '5..' || values.includes(one))
}

// On PostgreSQL, because SQLite has no connections.
test.skipIf(postgresSkipped)(
  'each query of the dashboard and the alerts finds its metrics, labels and values in a scrape',
  async () => {
    const samples = await scrapeAfterTraffic()
    for (const { title, legend, selectors, grouping } of [...dashboardQueries, ...alertQueries]) {
      const selected = selectors.filter(({ name }) => name !== 'up')
      const series = selected.map(({ name }) => samples.filter((sample) => sample.name === name))
      for (const [at, { name, matchers }] of selected.entries()) {
        const found = series[at] ?? []
        expect(found.length, `${title}: ${name}`).toBeGreaterThan(0)
        for (const matcher of matchers.filter(({ label }) => !TARGET.includes(label))) {
          const values = found.map((sample) => sample.labels[matcher.label])
          expect(areFound(values, matcher), `${title}: ${matcher.label} ${matcher.value}`).toBe(
            true,
          )
        }
      }
      const labels = [...TARGET, ...series.flat().flatMap((sample) => Object.keys(sample.labels))]
      expect(labels, title).toEqual(expect.arrayContaining(grouping))
      const shown = grouping.length > 0 ? grouping : labels
      for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g))
        expect(shown, title).toContain(label)
    }
  },
)

test('the variables of job and process limit each query', () => {
  for (const { title, selectors } of dashboardQueries) {
    for (const { name, matchers } of selectors) {
      const limits = matchers.filter(({ value }) => value.startsWith('$'))
      const names = name === 'up' ? ['job'] : ['job', 'instance']
      expect(limits, title).toEqual(
        names.map((label) => ({ label, operator: '=~', value: `$${label}` })),
      )
    }
  }
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual([
    'datasource',
    'job',
    'instance',
  ])
})

test('each panel says what it shows, with a unit, and asks the chosen Prometheus', () => {
  for (const { title, description, datasource, fieldConfig, targets } of panels) {
    expect(description, title).toMatch(/^[A-Z“].+\.$/)
    expect(fieldConfig?.defaults.unit, title).toMatch(/^\w+$/)
    expect(datasource, title).toEqual(DATASOURCE)
    expect(targets.length, title).toBeGreaterThan(0)
  }
})

test('the panels have places and IDs of their own', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...dashboard.panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})

test('the limits of the panels are those of the alerts that they name', () => {
  const limits = new Map(
    rules.map(({ alert, expr }) => [alert, Number(/ > ([\d.]+)\s*$/.exec(expr)?.[1])]),
  )
  const named = panels.flatMap(({ description, ...rest }) => {
    const [, alert] = /Alert: (\w+)\.$/.exec(description) ?? []
    return alert ? [{ alert, ...rest }] : []
  })
  expect(named.length).toBeGreaterThan(8)
  for (const { alert, fieldConfig } of named) {
    expect(limits.has(alert), alert).toBe(true)
    const steps = fieldConfig?.defaults.thresholds?.steps
    if (steps) expect(steps.at(-1)?.value, alert).toBe(limits.get(alert))
  }
})
