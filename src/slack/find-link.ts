import type { ListedLink } from '../client/link-page.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { SlackInputError } from './input/slack-input-error.ts'
import type { ListPosition } from './input/list-text.ts'
import type { Links } from './links.ts'
import { fetchPage } from './list-page.ts'
import { linkKey } from './link-key.ts'

/**
 * The link of a list that somebody chose something for: on the page where it was, or, since links
 * that were made meanwhile push the others on, on one beside it.
 *
 * @throws SlackInputError when it is on none of them; LinkServiceError, NotConnectedError
 */
export async function findLink(
  links: Links,
  workspace: Workspace,
  { key, position }: { key: string; position: ListPosition },
): Promise<ListedLink> {
  const { page } = position
  for (const number of [page, page + 1, page - 1].filter((one) => one > 0)) {
    const { links: listed } = await fetchPage(links, workspace, { ...position, page: number })
    const found = listed.find(({ name }) => linkKey(name) === key)
    if (found) return found
  }
  throw new SlackInputError([
    {
      message:
        'I can’t find this link any more: it was deleted, or the list has changed a lot since. Open the list again to see how it is now.',
    },
  ])
}
