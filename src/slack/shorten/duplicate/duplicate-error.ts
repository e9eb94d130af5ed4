import type { ShownLink } from '../../block-kit/shown-link.ts'
import { SlackInputError } from '../../platform/field-errors.ts'
import type { MadeBy } from '../link-record.ts'

/** The service made no link, because the destination already has one on that domain. */
export class DuplicateError extends SlackInputError {
  /** The existing link, with the QR code that the user wanted for the new one. */
  readonly link: ShownLink
  /** Absent if the link was not made in Slack. */
  readonly madeBy: MadeBy | undefined

  constructor(link: ShownLink, madeBy: MadeBy | undefined, cause: unknown) {
    const { shortlink_url: url } = link.shortlink
    const message = `This destination already has a short link: ${url}`
    super([{ field: 'destination_url', message }], { cause })
    this.name = 'DuplicateError'
    this.link = link
    this.madeBy = madeBy
  }
}
