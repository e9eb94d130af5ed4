import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { withApp } from '../support/fixtures.ts'
import { scrape } from '../support/scrape.ts'

const ROOT = join(import.meta.dirname, '../..')
const monitoring = readFileSync(join(ROOT, 'docs/monitoring.md'), 'utf8')
const rulesText = readFileSync(join(ROOT, 'deploy/alerts.yml'), 'utf8')

const { groups } = parse(rulesText) as {
  groups: { rules: { alert: string; expr: string; labels: { severity: string } }[] }[]
}
const rules = groups.flatMap((group) => group.rules)

const { test, app } = withApp({ config: { metrics: { host: '127.0.0.1', port: 0 } } })

/** The cells of the table rows that start with a text. */
const rowsOf = (start: string): string[][] =>
  monitoring
    .split('\n')
    .filter((line) => line.startsWith(`| \`${start}`))
    .map((line) => line.split('|').map((cell) => cell.trim()))

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? '')

test('docs/monitoring.md lists exactly the metrics, with their types and labels, and each has a help text', async () => {
  await fetch(`${app.running.appUrl}/healthz`)
  const scraped = await scrape(app.running.metricsUrl ?? '')
  const own = [...scraped.values()].filter(({ name }) => !/^(?:process|nodejs)_/.test(name))
  const described = new Map(
    rowsOf('backhalf_').map(([, name = '', type = '', labels = '']) => [
      name.replaceAll('`', ''),
      { type, labels: namesIn(labels, /`(\w+)`/g).toSorted() },
    ]),
  )
  expect([...described.keys()].toSorted()).toEqual(own.map(({ name }) => name).toSorted())
  for (const { name, type, help, samples } of own) {
    expect(help, name).toMatch(/^[A-Z].{15,130}\.$/)
    expect(described.get(name)?.type, name).toBe(type)
    const bounds = samples.flatMap(({ labels: { le } }) => (le ? [Number.parseFloat(le)] : []))
    const ascending = [...new Set(bounds.filter((bound) => !Number.isNaN(bound)))]
    expect(ascending, name).toEqual(ascending.toSorted((one, other) => one - other))
    for (const { labels } of samples) {
      const names = Object.keys(labels).filter((label) => label !== 'le')
      expect(names.toSorted(), name).toEqual(described.get(name)?.labels)
    }
  }
})

test('each alert has a promtool test in which it is silent, and one in which it fires', () => {
  const tested = parse(readFileSync(join(ROOT, 'deploy/alerts.test.yml'), 'utf8')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
  }
  const cases = tested.tests.flatMap((one) => one.alert_rule_test)
  const names = (fires: boolean) =>
    new Set(cases.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname))
  for (const fires of [false, true])
    expect(names(fires)).toEqual(new Set(rules.map((one) => one.alert)))
})

test('docs/monitoring.md lists exactly the alerts, with their severity', () => {
  const described = rowsOf('Backhalf').map(([, name = '', , severity]) => ({
    alert: name.replaceAll('`', ''),
    severity,
  }))
  expect(described).toEqual(rules.map(({ alert, labels: { severity } }) => ({ alert, severity })))
})
