import type { OverflowAction } from '@slack/bolt'
import { expect, test } from 'vitest'
import {
  linkBlockId,
  linkKey,
  linkMenu,
  parseMenuChoice,
} from '../../../src/slack/link-menu/menu.ts'

const chosen = (value: string, block_id: string): OverflowAction => ({
  type: 'overflow',
  action_id: 'link_menu',
  block_id,
  action_ts: '1.2',
  selected_option: { text: { type: 'plain_text', text: 'Show QR code' }, value },
})

test('a choice identifies the link and its page', () => {
  expect(parseMenuChoice(chosen('qr:lnk:1', 'link:9:created_at:asc:12'))).toEqual({
    choice: 'qr',
    key: 'lnk:1',
    position: 'created_at:asc:12',
  })
})

test('every option of a menu is read back', () => {
  const { options } = linkMenu(linkKey('lnk:1'), 'Share in channel')
  const position = { sort_by: 'most_recent', order: 'desc', page: 3 } as const
  const blockId = linkBlockId(position, 7)
  const choices = options.map(({ value = '' }) => parseMenuChoice(chosen(value, blockId)))
  expect(choices).toEqual(
    ['qr', 'share', 'copy'].map((choice) => ({
      choice,
      key: 'lnk:1',
      position: 'most_recent:desc:3',
    })),
  )
})

test('a search text that has no room in the block_id is left out of it, and not cut', () => {
  const position = { sort_by: 'updated_at', order: 'asc', page: 999_999_999, mine: true } as const
  expect(linkBlockId({ ...position, q: 'word '.repeat(40).trim() }, 39)).toMatch(
    /^link:39:.*:word(\+word){39}$/,
  )
  expect(linkBlockId({ ...position, q: '検索'.repeat(100) }, 39)).toBe(
    'link:39:updated_at:asc:999999999:mine',
  )
})

test.each([
  ['delete:lnk_1', 'link:0:most_recent:desc:1'],
  ['qr', 'link:0:most_recent:desc:1'],
  ['', 'link:0:most_recent:desc:1'],
  ['qr:lnk_1', 'template:1'],
])('“%s” in the block %s is not the menu of a link', (value, block) => {
  expect(() => parseMenuChoice(chosen(value, block))).toThrow('not the menu of a listed link')
})

test('a name that is too long for a menu is replaced by its hash', () => {
  const long = `lnk_${'x'.repeat(200)}`
  expect(linkKey(long)).toMatch(/^[0-9a-f]{64}$/)
  expect(linkKey(`${long}1`)).not.toBe(linkKey(long))
  expect(linkKey('lnk_1')).toBe('lnk_1')
})
