import type { CreatedLink } from './blocks/link-created.ts'

/** Who made a link with this app, and when (milliseconds since 1970). */
export interface MadeBy {
  by: string
  at: number
}

/** The service made no link, because there is one already that leads to the same place. */
export class AlreadyShortenedError extends Error {
  /** The link that is there, with the QR code that was wanted for the new one. */
  readonly existing: CreatedLink
  /** Absent where the link was made elsewhere. */
  readonly made: MadeBy | undefined

  constructor(existing: CreatedLink, made: MadeBy | undefined, cause: unknown) {
    super('there is a link to this destination already', { cause })
    this.name = 'AlreadyShortenedError'
    this.existing = existing
    this.made = made
  }
}
