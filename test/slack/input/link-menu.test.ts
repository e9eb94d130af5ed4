import type { OverflowAction } from '@slack/bolt'
import { expect, test } from 'vitest'
import { parseLinkMenu } from '../../../src/slack/input/link-menu.ts'

const chosen = (value: string, block_id: string): OverflowAction => ({
  type: 'overflow',
  action_id: 'link_menu',
  block_id,
  action_ts: '1.2',
  selected_option: { text: { type: 'plain_text', text: 'Show QR code' }, value },
})

test('a choice names the link and the page where it stood', () => {
  expect(parseLinkMenu(chosen('qr:lnk:1', 'link:9:created_at:asc:12'))).toEqual({
    choice: 'qr',
    key: 'lnk:1',
    position: { sort_by: 'created_at', order: 'asc', page: 12 },
  })
})

test.each([
  ['delete:lnk_1', 'link:0:most_recent:desc:1'],
  ['qr', 'link:0:most_recent:desc:1'],
  ['', 'link:0:most_recent:desc:1'],
  ['qr:lnk_1', 'template:1'],
])('%s in %s is none of ours', (value, block) => {
  expect(() => parseLinkMenu(chosen(value, block))).toThrow('not a menu of a listed link')
})
