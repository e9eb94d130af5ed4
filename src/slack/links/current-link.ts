import { LinkGoneError, LinkServiceError } from '../../port/failures.ts'
import type { CallOptions, LinkDetails } from '../../drivers/backhalf/link-client.ts'
import { createOperation } from '../../port/operation.ts'
import type { Clock } from '../../timing/clock.ts'
import { NotConnectedError } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { shownLinkOf, type ShownLink } from '../block-kit/shown-link.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { LinkService } from './workspace-link-service.ts'

/** How long reading links again may take, in milliseconds. Then they are shown without what could not be checked. */
const READ_WITHIN_MS = 3_000

interface Asked {
  clock: Clock
  linkService: Pick<LinkService, 'offers' | 'get'>
}

/**
 * Reads a link that the app remembers from our record or from a button, because it may have changed since.
 *
 * @param options what this is part of; by default, it is an operation of its own
 * @returns 'gone' if it was deleted; undefined if the link service doesn't show single links, or doesn't answer
 */
export async function readCurrent(
  { clock, linkService }: Asked,
  workspace: Workspace,
  name: string,
  options: CallOptions = { operation: createOperation({ clock, deadlineMs: READ_WITHIN_MS }) },
): Promise<LinkDetails | 'gone' | undefined> {
  try {
    const { get: isOffered } = await linkService.offers(workspace)
    return isOffered ? (await linkService.get(workspace, name, options)).link : undefined
  } catch (error) {
    if (error instanceof LinkGoneError) return 'gone'
    if (error instanceof LinkServiceError || error instanceof NotConnectedError) return undefined
    throw error
  }
}

/**
 * The link of a button (`decodeLink`), as it is now. If that is not known, it has no destination.
 *
 * @throws SlackInputError if it was deleted
 */
export async function currentLink(
  asked: Asked,
  { workspace }: Caller,
  link: ShownLink,
): Promise<ShownLink> {
  const read = link.name === undefined ? undefined : await readCurrent(asked, workspace, link.name)
  if (read === undefined) return link
  if (read !== 'gone') {
    const now = shownLinkOf(read, asked.clock.now())
    return { ...now, qrColor: link.qrColor ?? now.qrColor, changeable: undefined }
  }
  throw new SlackInputError(
    `${link.shortlink_url} was deleted. Shorten its destination again to get a new short link.`,
  )
}
