import type { Operation } from '../../client/operation.ts'
import type { ListedLink } from '../../client/link-client.ts'
import { isSameShortUrl } from '../../workspaces/made-links.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { decodeListPosition } from './link-pages.ts'
import type { ShownLink } from './link-lists.ts'
import type { Platform } from '../platform/platform.ts'
import { searchPages } from './search-pages.ts'
import { linkKey, type MenuChoice } from '../block-kit/link-menu.ts'

/**
 * Finds the link that the user chose: on its page, or else on the pages around it, because new links push the
 * others to later pages.
 *
 * @param operation what the search is part of; by default, each of its calls is an operation of its own
 * @throws SlackInputError if none of them has it; LinkServiceError, NotConnectedError
 */
export async function findListedLink(
  { linkLists, linkService }: Pick<Platform, 'linkLists' | 'linkService'>,
  caller: Pick<Caller, 'workspace' | 'userId'>,
  { key, position }: Pick<MenuChoice, 'key' | 'position'>,
  operation?: Operation,
): Promise<ListedLink> {
  const decoded = decodeListPosition(position)
  const isChosen = ({ name, unnamed }: ShownLink): boolean => linkKey(name, unnamed) === key
  const { links, isRecord } = await linkLists.fetch(caller, decoded, { operation, details: false })
  // The record's pages are not the service's.
  const around = isRecord ? { ...decoded, q: undefined } : decoded
  const shown = links.find(isChosen)
  if (shown && !shown.unnamed) return shown
  const isWanted = shown
    ? (link: ListedLink) => isSameShortUrl(shown.shortlink_url, link.shortlink_url)
    : isChosen
  const found = await searchPages(linkService, caller.workspace, around, isWanted, operation)
  if (found) return found
  throw new SlackInputError([
    {
      message:
        'This link can’t be found anymore. It was deleted, or the list has changed a lot since you opened it. Open the list again to see the current links.',
    },
  ])
}
