import { expect, test } from 'vitest'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import type { LinkQuery } from '../../../src/port/link-service.ts'
import { createLinkReader } from '../../../src/slack/alerts/read-links.ts'
import type { WorkspaceLinkService } from '../../../src/slack/links/links.ts'
import { systemClock } from '../../../src/timing/clock.ts'

test.each([
  ['a link', { kind: 'link', name: 'spring', shortUrl: 'https://s.example/spring' } as const],
  ['a tag', { kind: 'tag', name: 'Spring' } as const],
])(
  'clicks on %s count once if the link moves to the next page between two reads',
  async (_, about) => {
    const spring = {
      name: 'spring',
      shortlink_url: 'https://s.example/spring',
      destination_url: 'https://example.com',
      tags: ['spring'],
      clicks: 600,
    }
    const linkService = {
      list: (_workspace: unknown, { page }: LinkQuery) =>
        Promise.resolve({ links: [spring], skipped: 0, hasNext: page === 1 }),
    } as unknown as WorkspaceLinkService
    const reader = createLinkReader(
      { linkService, clock: systemClock },
      { id: 'T1' },
      SPECIFICATION,
    )
    expect(await reader.figures({ about, condition: 'reaches' })).toEqual({ total: 600 })
  },
)
