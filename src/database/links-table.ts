import type { FieldOfKind, KindOf } from '../contract/link-fields.ts'

// The columns of a link's fields, by their kind. A domain, a back-half and an image have columns of their own.
interface ColumnTypes {
  url: string
  text: string | null
  lines: string | null
  /** Names in the order of their keys, separated by commas (src/contract/tags.ts). */
  tags: string | null
  flag: number
  color: string | null
  instant: number | null
}

export type LinkFieldColumns = {
  [Name in FieldOfKind<keyof ColumnTypes>]: ColumnTypes[KindOf<Name>]
}

/**
 * The links, and their earlier short URLs (`alias_of`), whose rows alone can be removed. `destination_url` has no UTM
 * parameters. What a flag turns off is kept.
 */
export interface LinksTable extends LinkFieldColumns {
  /** UUID version 7, which sorts by creation time. */
  id: string
  owner_id: string
  domain_id: string
  /** A copy of the domain record's hostname, because back-halves are unique per hostname. */
  hostname: string
  back_half: string
  /** SHA-256 of the effective destination. Two links with the same hash are duplicates. */
  destination_hash: string
  /** The media type and the size in pixels of the image in preview_images; 0: it doesn't contain its size. */
  preview_image_type: string | null
  preview_image_width: number | null
  preview_image_height: number | null
  created_at: number
  updated_at: number
  /** A deleted link keeps only its short URL, which is never given to another link; null: not deleted. */
  deleted_at: number | null
  revision: number
  /** The id of the API key with which it was created, or `dashboard`; null: unknown, or an earlier short URL. */
  made_by: string | null
  /** The person for whom the key's holder created it, as the holder says (src/contract/person.ts). */
  person_id: string | null
  person_name: string | null
  /** The link that had this short URL earlier, and that it still leads to. Such a row has deleted_at. */
  alias_of: string | null
}
