import { expect, test } from 'vitest'
import type { Report } from '../../../src/contract/report.ts'
import { checkMessageBlocks } from '../../../src/simulator/block-kit/check.ts'
import { bestLinkBlocks } from '../../../src/slack/report/report-message.ts'

const linkOf = (label: string, people: number, previous_people: number, title?: string) => ({
  name: label,
  label,
  title,
  people,
  previous_people,
  days: [people],
})

const byLink = (groups: Report['groups'], total_people: number): Report => ({
  from: '2026-11-23',
  to: '2026-11-23',
  previous_from: '2026-11-22',
  previous_to: '2026-11-22',
  group_by: 'link',
  total_people,
  previous_people: 0,
  days: [],
  groups,
  has_more: false,
})

const textOf = (report: Report) => bestLinkBlocks(report)[0]?.text?.text.replaceAll(/[⁨⁩]/g, '')

test('names the five links with the most clicks, each with its change, and adds up the others', () => {
  const groups = [
    {
      ...linkOf('https://go.example.com/sale', 1200, 1000, 'Spring <sale>'),
      destination_host: 'example.com',
    },
    linkOf('https://go.example.com/news', 30, 0),
    linkOf('https://go.example.com/c', 5, 10, 'C'),
    linkOf('https://go.example.com/d', 2, 2),
    linkOf('https://go.example.com/e', 1, 0),
    linkOf('https://go.example.com/f', 1, 0),
  ]
  expect(textOf(byLink(groups, 1240))).toBe(
    [
      '*Links with the most clicks*',
      '1. <https://go.example.com/sale|go.example.com/sale> → example.com  ·  Spring &lt;sale&gt;  ·  1,200 clicks (+20%)',
      '2. <https://go.example.com/news|go.example.com/news>  ·  30 clicks',
      '3. <https://go.example.com/c|go.example.com/c>  ·  C  ·  5 clicks (-50%)',
      '4. <https://go.example.com/d|go.example.com/d>  ·  2 clicks (0%)',
      '5. <https://go.example.com/e|go.example.com/e>  ·  1 click',
      'Other links  ·  2 clicks',
    ].join('\n'),
  )
})

test('shows no block if no link was clicked', () => {
  expect(bestLinkBlocks(byLink([], 0))).toEqual([])
  expect(bestLinkBlocks(byLink([linkOf('https://go.example.com/c', 0, 4)], 0))).toEqual([])
})

test('keeps the longest links and titles within a section', () => {
  const url = (index: number): string => `https://${'a.'.repeat(125)}com/${'b'.repeat(99)}${index}`
  for (const title of ['<&>'.repeat(100), '👩‍👩‍👧‍👦'.repeat(100), 'قصير '.repeat(100)]) {
    const groups = [1, 2, 3, 4, 5].map((index) => linkOf(url(index), 1e9, 1, title))
    const blocks = bestLinkBlocks(byLink(groups, 6e9))
    expect(textOf(byLink(groups, 6e9))).toContain('Other links  ·  1,000,000,000 clicks')
    expect(() => checkMessageBlocks(blocks)).not.toThrow()
  }
})
