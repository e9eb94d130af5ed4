import type { Button } from '@slack/types'
import { expect, test } from 'vitest'
import { SPECIFICATION, type Capabilities } from '../../../src/port/capabilities.ts'
import {
  linkBlockId,
  linkButtons,
  linkKey,
  linkMenu,
  parseMenuChoice,
} from '../../../src/slack/block-kit/link-menu.ts'
import { linkStateText } from '../../../src/slack/block-kit/shown-link.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'

test('every option of a menu is read back', () => {
  const rights = { capabilities: ALL_OFFERS, mayChange: true }
  const [menu] = linkMenu({ name: 'lnk:1' }, rights)
  const position = { sort_by: 'most_recent', order: 'desc', page: 3 } as const
  const blockId = linkBlockId(position, 7)
  const options = menu?.type === 'overflow' ? menu.options : []
  const choices = options.map(({ value = '' }) => parseMenuChoice(value, blockId))
  expect(choices).toEqual(
    ['share', 'edit', 'clicks', 'off', 'delete'].map((choice) => ({
      choice,
      key: 'lnk:1',
      position: 'most_recent:desc:3',
    })),
  )
})

test('a menu of one choice is a button, and is read back', () => {
  const rights = { capabilities: SPECIFICATION, mayChange: true }
  const [only] = linkMenu({ name: 'lnk_1' }, rights)
  expect(only).toMatchObject({ type: 'button', action_id: 'link_menu', value: 'share:lnk_1' })
  const { value = '' } = only as Button
  const read = parseMenuChoice(value, 'link:0:most_recent:desc:1')
  expect(read).toMatchObject({ choice: 'share', key: 'lnk_1' })
})

test('a screen reader tells the buttons of two links apart', () => {
  const labels = linkButtons({ shortlink_url: 'https://go.example.com/x' }).map(
    (one) => one.accessibility_label,
  )
  expect(labels).toEqual(['Copy: go.example.com/x', 'QR code: go.example.com/x'])
})

test.each([
  ['clicks', 'link:0:most_recent:desc:1'],
  ['', 'link:0:most_recent:desc:1'],
  ['clicks:lnk_1', 'template:1'],
])('“%s” in the block %s is not the menu of a link', (value, block) => {
  expect(() => parseMenuChoice(value, block)).toThrow('not the menu of a listed link')
})

test('a name that is too long for a menu is replaced by its hash', () => {
  const long = `lnk_${'x'.repeat(200)}`
  expect(linkKey(long)).toMatch(/^[0-9a-f]{64}$/)
  expect(linkKey(`${long}1`)).not.toBe(linkKey(long))
  expect(linkKey('lnk_1')).toBe('lnk_1')
})

const SHARE = 'Copy, QR code, share…'
const CLICKS = 'Clicks, alert me…'

function labels(
  capabilities: Capabilities,
  { mayChange = true, enabled }: { mayChange?: boolean; enabled?: boolean } = {},
): string[] {
  const link = { name: 'lnk_1', enabled }
  const [menu] = linkMenu(link, { capabilities, mayChange })
  if (menu?.type === 'overflow') return menu.options.map(({ text }) => text.text)
  return menu ? [menu.text.text] : []
}

test('a menu has what the link service offers and the user can do', () => {
  expect(labels(ALL_OFFERS)).toEqual([SHARE, 'Edit', CLICKS, 'Turn off', 'Delete'])
  const ofEnded = labels(ALL_OFFERS, { enabled: false })
  expect(ofEnded).toEqual(['Copy, QR code…', 'Edit', CLICKS, 'Turn on', 'Delete'])
  expect(labels(ALL_OFFERS, { mayChange: false })).toEqual([SHARE, CLICKS])
  expect(labels(SPECIFICATION, { enabled: false })).toEqual(['Copy, QR code…'])
  expect(labels(SPECIFICATION)).toEqual([SHARE])
})

test('a menu leaves out what the link service does not offer', () => {
  const onlyChanges = { ...ALL_OFFERS, get: false, clicks: false }
  expect(labels(onlyChanges)).toEqual([SHARE, 'Turn off', 'Delete'])
  expect(labels({ ...ALL_OFFERS, delete: false })).toEqual([SHARE, 'Edit', CLICKS, 'Turn off'])
  expect(labels({ ...SPECIFICATION, delete: true })).toEqual([SHARE, 'Delete'])
  expect(labels({ ...SPECIFICATION, get: true })).toEqual([SHARE])
})

test('a link’s state says whether it is off, expires or has expired', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  expect(linkStateText({}, now)).toBeUndefined()
  expect(linkStateText({ enabled: true }, now)).toBeUndefined()
  expect(linkStateText({ enabled: false, expires_at: '2026-04-01T00:00:00Z' }, now)).toContain(
    'off',
  )
  expect(linkStateText({ expires_at: '2026-04-01T00:00:00Z' }, now)).toBe(
    'expires <!date^1775001600^{date_short}|2026-04-01>',
  )
  expect(linkStateText({ expires_at: '2026-03-01T12:00:00Z' }, now)).toContain('expired')
})
