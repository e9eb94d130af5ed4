import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { faultsOf, gluedWords } from './accessibility.ts'
import { browserFixtures, browserIsMissing } from './browser.ts'
import { postForm } from './service-calls.ts'
import { startService, type RunningService } from './service.ts'

export const PHONE = { width: 390, height: 720 }

export const LONG_HOSTNAME = 'go.a-hostname-as-long-as-the-name-of-a-brand.may-be.example.com'

export const LONG_TAGS = Array.from({ length: 10 }, (_, at) => `${at}`.padEnd(40, 'w')).join()

/** A test of the dashboard in a browser, with a service that has two links with long values. */
export const dashboardTest = browserFixtures
  .extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await startService()
    onCleanup(() => service.close())
    for (const [back_half, destination_url] of [
      ['spring', `https://example.com/${'long-path/'.repeat(60)}`],
      ['autumn', 'https://example.com/autumn'],
    ] as const) {
      const title = back_half === 'spring' ? 'L'.repeat(200) : `${back_half} ${'sale '.repeat(30)}`
      await postForm(service, {
        destination_url,
        domain: 'default',
        back_half,
        title,
        qr_code_enabled: 'true',
        tags: back_half === 'spring' ? LONG_TAGS : '',
        expires_at: '2999-12-31T18:00:00Z',
      })
    }
    return service
  })
  .skipIf(browserIsMissing)

/** Collects what is wrong with the pages that a test visits. */
export function observe(page: Page, { baseUrl }: RunningService) {
  const seen: unknown[] = []
  const expected: unknown[] = []
  return {
    open: (path: string) => page.goto(baseUrl + path),
    look: async (expectedPath: string) => {
      const at = new URL(page.url()).pathname.replaceAll(/(?:m\.)?[\w-]{36,}/g, 'ID')
      seen.push({ at, glued: await gluedWords(page), faults: await faultsOf(page) })
      expected.push({ at: expectedPath, glued: [], faults: [] })
    },
    expectNoFaults: () => expect(seen).toEqual(expected),
  }
}
