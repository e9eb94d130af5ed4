import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { TestApp } from './app.ts'

/**
 * Starts one app for all tests of a file, and stops it after the last. After each test, Slack must have
 * accepted everything that the app sent.
 *
 * @returns the app. It has its parts from the first `beforeAll` on
 */
export function shareApp<A extends TestApp>(start: () => Promise<A>): A {
  const app = {} as A
  beforeAll(async () => {
    Object.assign(app, await start())
  })
  afterEach(() => {
    expect(app.slack.takeRefusals()).toEqual([])
  })
  afterAll(() => app.stop())
  return app
}
