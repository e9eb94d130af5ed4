import { expect, test } from 'vitest'
import { ANY, createDefinitions } from '../../src/metrics/definitions.ts'
import { slackMetrics } from '../../src/metrics/app-metrics.ts'
import { parseMetrics } from '../support/scrape.ts'

function setUp() {
  const definitions = createDefinitions()
  const read = async (name: string) => {
    const { samples = [] } = parseMetrics(await definitions.text()).get(name) ?? {}
    return samples.map(({ labels, value }) => [labels, value])
  }
  return { ...definitions, read }
}

test('starts with 0 for every combination of known values, and for no other', async () => {
  const { counter, histogram, read } = setUp()
  const values = { kind: ['a', 'b'], state: ['on'] } as const
  const things = counter('things_total', 'Things.', values)
  histogram('time_seconds', 'Times.', [1], { kind: ['a'], route: ANY })
  things.inc({ kind: 'b', state: 'on' }, 2)
  things.inc({ kind: 'b', state: 'on' })
  expect(await read('things_total')).toEqual([
    [{ kind: 'a', state: 'on' }, 0],
    [{ kind: 'b', state: 'on' }, 3],
  ])
  expect(await read('time_seconds')).toEqual([])
})

test('reads gauges at each scrape, even those that take time', async () => {
  const { gauge, read } = setUp()
  const texts = ['one', 'another']
  gauge('level', 'Level.', ['of'], async () => [{ labels: { of: texts.shift() ?? '' }, value: 1 }])
  expect(await read('level')).toEqual([[{ of: 'one' }, 1]])
  expect(await read('level')).toEqual([[{ of: 'another' }, 1]])
})

test.for([{}, { of: 'a' }])('leaves out a gauge that can’t be read, with %j', async (labels) => {
  const { gauge, read } = setUp()
  let isReachable = false
  gauge('level', 'Level.', Object.keys(labels), async () => {
    if (!isReachable) throw new Error('the database is not reachable')
    return [{ labels, value: 2 }]
  })
  gauge('other', 'Other.', [], () => [{ labels: {}, value: 1 }])
  expect(await read('level')).toEqual([])
  expect(await read('other')).toEqual([[{}, 1]])
  isReachable = true
  expect(await read('level')).toEqual([[labels, 2]])
})

test('has prom-client’s metrics of the process and of Node', async () => {
  const { read } = setUp()
  expect(await read('process_resident_memory_bytes')).toHaveLength(1)
  expect(await read('nodejs_heap_size_used_bytes')).toHaveLength(1)
})

test('counts a bounded number of Slack’s error codes by themselves', async () => {
  const definitions = createDefinitions()
  const slack = slackMetrics(definitions)
  for (let at = 0; at < 300; at++)
    slack.observeCall(0.1, 'x'.repeat(1 + (at % 60)) + '_'.repeat(at / 60))
  slack.observeCall(0.1, 'Upper')
  slack.observeCall(0.1, 'timeout')
  const { samples = [] } =
    parseMetrics(await definitions.text()).get('backhalf_slack_api_errors_total') ?? {}
  const counts = new Map(samples.map(({ labels: { code }, value }) => [code, value]))
  expect(counts.size).toBe(100)
  expect(counts.get('x')).toBe(1)
  expect(counts.get('timeout')).toBe(1)
  expect(counts.get('other')).toBeGreaterThan(200)
})
