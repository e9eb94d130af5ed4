import type { ShownLink } from '../../block-kit/shown-link.ts'
import { SlackInputError } from '../../platform/field-errors.ts'

/** The user who made a link with this app, and the time (milliseconds since 1970). */
export interface MadeBy {
  by: string
  at: number
}

/** The service made no link, because the destination already has one on that domain. */
export class DuplicateError extends SlackInputError {
  /** The existing link, with the QR code that the user wanted for the new one. */
  readonly link: ShownLink
  /** Absent if the link was not made in Slack. */
  readonly madeBy: MadeBy | undefined

  /** The back-half that the user wanted, if the existing link has another one. */
  readonly unusedBackHalf: string | undefined

  constructor(
    link: ShownLink,
    madeBy: MadeBy | undefined,
    { backHalf, cause }: { backHalf?: string | undefined; cause?: unknown } = {},
  ) {
    const { shortlink_url: url } = link
    const unused = unusedBackHalf(url, backHalf)
    const message = `This destination already has a short link: ${url}`
    const note = unused === undefined ? '' : `. ${unusedText(unused)}`
    super([{ field: 'destination_url', message: message + note }], { cause })
    this.name = 'DuplicateError'
    this.link = link
    this.madeBy = madeBy
    this.unusedBackHalf = unused
  }
}

/** The wanted back-half, unless it is the one of the short URL. */
export function unusedBackHalf(shortUrl: string, wanted: string | undefined): string | undefined {
  const path = URL.parse(shortUrl)?.pathname.slice(1) ?? ''
  return wanted?.toLowerCase() === path.toLowerCase() ? undefined : wanted
}

export function unusedText(backHalf: string): string {
  return `The back-half “${backHalf}” was not used.`
}
