import { expect, test } from 'vitest'
import { HOME, showDone } from '../../../src/slack/link-menu/link-changes.ts'
import type { ShortenPlatform } from '../../../src/slack/links/links.ts'
import type { Caller } from '../../../src/slack/platform/caller.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const ONE = 'https://go.example.com/one'
const TWO = 'https://go.example.com/two'

test.each([
  ['has the same name in another workspace', 'lnk_1', 'T_TWO', ONE],
  ['has no known name either', '', 'T_ONE', TWO],
])('shows a change without waiting for that of a link that %s', async (_, name, id, shortUrl) => {
  const shown: string[] = []
  const first = Promise.withResolvers<boolean>()
  const homeTab = {
    turnTo: async () => undefined,
    refresh: ({ userId = '' }) => {
      shown.push(userId)
      return userId === 'U_FIRST' ? first.promise : Promise.resolve(true)
    },
  }
  const platform = fakePlatform({ homeTab })
  const show = (caller: Caller, shortlink_url: string) =>
    showDone(platform as unknown as ShortenPlatform, caller, change(shortlink_url))
  const change = (shortlink_url: string) => ({
    name: name || shortlink_url,
    origin: { userId: 'U_ANA', position: HOME },
    after: { shortlink_url },
    notice: { text: 'Changed' },
  })
  show(fakeCaller({ userId: 'U_FIRST' }), ONE)
  show(fakeCaller({ userId: 'U_SECOND', workspace: { id } }), shortUrl)
  show(fakeCaller({ userId: 'U_THIRD' }), ONE)
  await expect.poll(() => shown).toEqual(['U_FIRST', 'U_SECOND'])
  first.resolve(true)
  await platform.tasks.drained()
  expect(shown).toEqual(['U_FIRST', 'U_SECOND', 'U_THIRD'])
})
