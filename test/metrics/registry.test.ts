import { expect, test } from 'vitest'
import { createRegistry } from '../../src/metrics/registry.ts'
import { parseMetrics } from '../support/scrape.ts'

test('counts, and creates one series for each set of labels', async () => {
  const registry = createRegistry()
  const counter = registry.counter({ name: 'things_total', help: 'Things.', labels: ['kind'] })
  counter({ kind: 'a' }).value += 2
  counter({ kind: 'b' }).value++
  counter({ kind: 'a' }).value++
  expect(parseMetrics(await registry.text()).get('things_total')).toEqual({
    name: 'things_total',
    type: 'counter',
    help: 'Things.',
    samples: [
      { name: 'things_total', labels: { kind: 'a' }, value: 3 },
      { name: 'things_total', labels: { kind: 'b' }, value: 1 },
    ],
  })
})

test('a histogram counts a value at its bound, and values above all bounds', async () => {
  const registry = createRegistry()
  const times = registry.histogram({ name: 'time_seconds', help: 'Times.' }, [0.1, 1])({})
  for (const value of [0, 0.1, 0.11, 1, 7]) times.observe(value)
  const { samples = [] } = parseMetrics(await registry.text()).get('time_seconds') ?? {}
  expect(samples.map(({ name, labels, value }) => [name, labels.le, value])).toEqual([
    ['time_seconds_bucket', '0.1', 2],
    ['time_seconds_bucket', '1', 4],
    ['time_seconds_bucket', '+Inf', 5],
    ['time_seconds_sum', undefined, 8.21],
    ['time_seconds_count', undefined, 5],
  ])
})

test('reads gauges at each scrape, even those that take time', async () => {
  const registry = createRegistry()
  let value = 1
  registry.gauge({ name: 'level', help: 'Level.', labels: ['of'] }, async () => [
    { labels: { of: 'a “quoted" \\ value\nof two lines' }, value: value++ },
  ])
  const read = async () => parseMetrics(await registry.text()).get('level')?.samples[0]
  expect(await read()).toEqual({
    name: 'level',
    labels: { of: 'a “quoted\\" \\\\ value\\nof two lines' },
    value: 1,
  })
  expect((await read())?.value).toBe(2)
})

test('has prom-client’s metrics of the process and of Node', async () => {
  const names = [...parseMetrics(await createRegistry().text()).keys()]
  expect(names).toContain('process_resident_memory_bytes')
  expect(names).toContain('nodejs_heap_size_used_bytes')
})
