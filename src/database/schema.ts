import type { Generated, Kysely, Transaction } from 'kysely'
import type { DashboardRole } from '../contract/extension-calls.ts'
import type { AppTables } from './app-tables.ts'
import type { LinksTable } from './links-table.ts'

/** The tables and their columns. Ids are text, times are milliseconds since 1970, and flags are 0 or 1. */
export interface Schema extends AppTables {
  /** When the last backup was made (null: none yet), and how many have failed since. One row. */
  backups: { id: number; made_at: number | null; failures: number }

  owners: {
    id: string
    kind: 'organization' | 'account'
    name: string
    /** The owner's id in another system, for example the ID of a Slack workspace; null if it has no such id. */
    external_id: string | null
    created_at: number
    max_links: number | null
  }

  domains: {
    id: string
    /** The hostname in lower case; empty for the built-in record, which uses SERVICE_PUBLIC_URL. */
    domain_name: string
    /** Null: the record is shared, so every key can use it. */
    owner_id: string | null
    created_at: number
    /** The URL to which `/` of the hostname leads; null: our own page is shown. All records of a hostname share it. */
    home_url: Generated<string | null>
    /** The URL to which unknown back-halves lead; null: our own page is shown. */
    not_found_url: Generated<string | null>
  }

  /** API keys (spec §2.3). The type of a key is the kind of its owner. */
  api_keys: {
    id: string
    owner_id: string
    name: string
    description: string | null
    /** SHA-256 of the key, in hexadecimal. The key itself is not stored. */
    hash: string
    prefix: string
    permissions: 'all' | 'read_only' | 'restricted'
    /** The scopes that it has besides those of its level, as a JSON list. */
    scopes: string
    /** The domain records that a restricted key can use, as a JSON list; null: all of them. */
    domain_ids: string | null
    created_at: number
    revoked_at: number | null
    expires_at: number | null
    /** Accurate to the minute; null: never used. */
    last_used_at: number | null
    /** Null: the service's default limit; 0: no limit. */
    requests_per_minute: number | null
    /** The only hostnames to which its links can lead, as a JSON list; null: any. */
    destinations: Generated<string | null>
    /** The last minute with requests that count toward its limit, in minutes since 1970, and how many they are. */
    counted_minute: Generated<number>
    counted_requests: Generated<number>
  }

  links: LinksTable

  /** The tags in each set of tags that links of an owner have. `key` is a tag's `tagKey`. */
  tag_sets: {
    owner_id: string
    tags: string
    key: string
    name: string
  }

  /** Images of custom previews, in a table of their own so that lists don't read them. */
  preview_images: { link_id: string; bytes: Uint8Array }

  /** How many links an owner has on each domain record. Triggers keep it. */
  link_counts: { owner_id: string; domain_id: string; links: number }

  /** The clicks on a link per day. Nothing about the visitors is stored. */
  clicks: { link_id: string; day: string; people: number; bots: number }

  /** A link's total clicks, so that lists need not add up days. A trigger adds a row for each link. */
  click_totals: {
    link_id: string
    people: number
    owner_id: string
    domain_id: string
    segment_id: Generated<number | null>
  }

  /**
   * A segment is a group of an owner's links that have these values in common (store/segments.ts). Reports add up
   * clicks per segment. A text is '' if the links have none, or if UTM is off.
   */
  segments: {
    id: Generated<number>
    owner_id: string
    domain_id: string
    utm_campaign: string
    utm_source: string
    utm_medium: string
    person_id: string
    tags: string
    /** SHA-256 of the values; null for some after a change of many links. Segments can have the same values. */
    key: string | null
  }

  segment_clicks: { segment_id: number; day: number; people: number }

  /** Changes of links, but not their creation. */
  link_history: {
    id: Generated<number>
    link_id: string
    at: number
    /** The id of the API key, or `dashboard`. */
    made_by: string
    person_id: Generated<string | null>
    person_name: Generated<string | null>
    /** `{field: [old, new]}` as JSON; without values if the link is deleted. */
    changes: string
  }

  /** Where links led until they were changed or deleted, for the service's administrators. */
  link_destinations: {
    link_id: string
    /** The last revision of the link that led there. */
    revision: number
    destination_url: string
    ended_at: number
    made_by: string
    person_id: Generated<string | null>
    person_name: Generated<string | null>
    /** Null while the link exists. */
    remove_at: Generated<number | null>
  }

  /** The hosts from which people came to a link, at most 200 per link and day. */
  referrers: { link_id: string; day: string; host: string; people: number }

  /** Links whose destination did not answer as it should (src/service/store/destination-problems.ts). */
  destination_problems: {
    link_id: string
    /** `links.destination_hash` when it was checked: once the link leads elsewhere, the row no longer counts. */
    destination_hash: string
    /** `failing`: not on enough days in a row to be dead. */
    status: 'dead' | 'failing' | 'unclear'
    /** Such as `404` or `no such host`. */
    reason: string
    failures: number
    failed_at: number
    check_at: number
  }

  /** Locks for work that only one process does: 1 checks destinations, and 2 deletes old data every night. */
  destination_walk: {
    id: number
    held_by: string
    held_until: number
    /** Of 1, the last link of the walk. Of 2, the first day whose clicks are kept; empty: all are. */
    at_link: string
    /** Of 2, when it was last done. */
    walked_at: number
  }

  /** Unfinished work of an upgrade (src/database/migrations/004-backfills.ts). */
  backfills: {
    name: string
    /** The key of the last row that is done, as a JSON list; null: none is. */
    position: Generated<string | null>
    filled: Generated<number>
  }

  dashboard_passwords: {
    id: 'administrator'
    hash: string
    failures: number
    /** Until then, no password is accepted; 0: not locked. */
    locked_until: number
  }

  /** The dashboard's sessions, one-time sign-in links, and one-time forms. */
  dashboard_tokens: {
    hash: string
    /** `used_form`: a form that created something, and must not make it again. */
    kind: 'session' | 'sign_in_link' | 'used_form'
    id: string
    created_at: number
    expires_at: number
    /** When a session was ended before it expired; null: it was not. */
    ended_at: Generated<number | null>
    /** The key whose holder signs a person in. Null, like the columns below, for the administrator. */
    api_key_id: Generated<string | null>
    person_id: Generated<string | null>
    person_name: Generated<string | null>
    role: Generated<DashboardRole | null>
    workspace: Generated<string | null>
    /** The only hostnames to which the workspace allows links, as a JSON list; null: any. */
    allowed_hosts: Generated<string | null>
  }

  /** The first responses to creates with an Idempotency-Key, kept for 24 hours. */
  idempotent_answers: {
    api_key_id: string
    idempotency_key: string
    request_hash: string
    answer: string
    created_at: number
  }

  /** The hosts that SERVICE_PUBLIC_URL has had, and when a service last started with each. */
  public_hosts: { host: string; used_at: number }
}

export type Db = Kysely<Schema>
export type DbTransaction = Transaction<Schema>

export type ClicksTable = Schema['clicks']
