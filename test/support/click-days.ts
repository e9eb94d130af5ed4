import type { LinkClicks } from '../../src/contract/extension-calls.ts'

/** Days from one on, with so many clicks by people. */
export function daysFrom(first: string, people: readonly number[]): LinkClicks['days'] {
  return people.map((count, at) => ({
    date: new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10),
    people: count,
    bots: 0,
  }))
}
