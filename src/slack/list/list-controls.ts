import type { KnownBlock, PlainTextOption, StaticSelect } from '@slack/types'
import type { SortField, SortOrder } from '../../contract/list-query.ts'
import { actions, button, option } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import {
  decodeListPosition,
  encodeListPosition,
  type ListPosition,
} from '../block-kit/list-position.ts'
import { ACTIONS, LIST_FILTER, LIST_MENUS_PREFIX } from '../ids.ts'
import type { ListPage } from '../links/link-lists.ts'
import { isFiltered } from './list-filter.ts'

/**
 * The buttons to other pages, the menus that filter and sort, and the search. A button's value holds the position
 * that it leads to. An option's value is too short for a search text, so the block_id holds the position of the list.
 */
export function listControls(list: ListPage): KnownBlock[] {
  const { position, hasNext } = list
  const previous = previousPage(list)
  const at = (other: Partial<ListPosition>): { value: string } => ({
    value: encodeListPosition({ ...position, ...other }),
  })
  const blockId = `${LIST_MENUS_PREFIX}${encodeListPosition(position)}`
  // Without its menus, a list still has its buttons. Only a long text in another script needs so much room.
  const hasMenus = blockId.length <= LIMITS.blockId
  return actions([
    ...(previous ? [button('Previous', ACTIONS.listPrevious, at({ page: previous }))] : []),
    ...(hasNext ? [button('Next', ACTIONS.listNext, at({ page: position.page + 1 }))] : []),
    ...(hasMenus ? [filterMenu(position), sortMenu(list)] : []),
    button('Search', ACTIONS.listSearch, at({})),
    ...(isFiltered(position)
      ? [
          button(
            'Show all links',
            ACTIONS.listShowAll,
            at({ page: 1, q: undefined, mine: undefined }),
          ),
        ]
      : []),
  ]).map((block) => ({ ...block, ...(hasMenus && { block_id: blockId }) }))
}

/** The position that a choice in one of the menus leads to: the first page of the list as it was chosen. */
export function chosenPosition(actionId: string, blockId: string, value: string): ListPosition {
  const position = blockId.startsWith(LIST_MENUS_PREFIX)
    ? decodeListPosition(blockId.slice(LIST_MENUS_PREFIX.length))
    : decodeListPosition('')
  if (actionId === ACTIONS.listFilter) {
    const mine = value === LIST_FILTER.mine ? (true as const) : undefined
    return { ...position, page: 1, mine }
  }
  const { sort_by, order } = decodeListPosition(value)
  return { ...position, sort_by, order, page: 1 }
}

function filterMenu({ mine }: ListPosition): StaticSelect {
  const all = option('All links', LIST_FILTER.all)
  const own = option('My links', LIST_FILTER.mine)
  return {
    type: 'static_select',
    action_id: ACTIONS.listFilter,
    options: [all, own],
    initial_option: mine ? own : all,
  }
}

/**
 * The orders to choose from. `most_recent` and `created_at` are the same order, so only one of the two is
 * offered: the one that the list has now. The record doesn't know when a link was changed.
 */
function sortMenu({ position: { sort_by, order }, isRecord }: ListPage): StaticSelect {
  const created = sort_by === 'created_at' ? 'created_at' : 'most_recent'
  const sorts: [SortField, SortOrder, string][] = [
    [created, 'desc', 'Most recent first'],
    [created, 'asc', 'Oldest first'],
    ['updated_at', 'desc', 'Updated: newest first'],
    ['updated_at', 'asc', 'Updated: oldest first'],
  ]
  const options = sorts
    .slice(0, isRecord ? 2 : undefined)
    .map(([field, direction, text]) => option(text, `${field}:${direction}`))
  const selected = options.find(({ value }) => value === `${sort_by}:${order}`) as PlainTextOption
  return {
    type: 'static_select',
    action_id: ACTIONS.listSort,
    options,
    initial_option: selected,
  }
}

/** The page before this one. From beyond the end of the list, that is the last page with links. */
function previousPage({ links, totalPages, position: { page } }: ListPage): number | undefined {
  if (page === 1) return undefined
  if (links.length > 0) return page - 1
  return Math.max(1, Math.min(totalPages ?? 1, page - 1))
}
