import { failureOf, LinkServiceError } from '../../port/failures.ts'
import type { CallOptions } from '../../port/link-service.ts'
import type { LinkDetails } from '../../port/links.ts'
import { createOperation } from '../../port/operation.ts'
import { NotConnectedError } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { LinkPlatform } from './links.ts'

const READ_WITHIN_MS = 3_000

type LinkSource = Pick<LinkPlatform, 'clock' | 'linkService'>

/**
 * Reads a link from the link service.
 * @returns `gone` if it was deleted; undefined if the service can't show single links or the call fails
 */
export async function readCurrent(
  { clock, linkService }: LinkSource,
  workspace: Workspace,
  name: string,
  options: CallOptions = { operation: createOperation({ clock, deadlineMs: READ_WITHIN_MS }) },
): Promise<LinkDetails | 'gone' | undefined> {
  try {
    const { get: isOffered } = await linkService.capabilities(workspace)
    return isOffered ? (await linkService.get(workspace, name, options)).link : undefined
  } catch (error) {
    if (failureOf(error, 'gone')) return 'gone'
    if (error instanceof LinkServiceError || error instanceof NotConnectedError) return undefined
    throw error
  }
}

/**
 * Returns the current state of a link that was read from a button. If the service can't show it, returns the button's
 * link, which has no destination.
 * @throws SlackInputError if the link was deleted
 */
export async function currentLink(
  source: LinkSource,
  { workspace }: Caller,
  link: ShownLink,
): Promise<ShownLink> {
  const read = link.name === undefined ? undefined : await readCurrent(source, workspace, link.name)
  if (read === undefined) return link
  if (read === 'gone') {
    throw new SlackInputError(
      `${link.shortlink_url} was deleted. Shorten its destination again to get a new short link.`,
    )
  }
  const current = toShownLink(read, source.clock.now())
  return { ...current, qrColor: link.qrColor ?? current.qrColor, isChangeable: false }
}
