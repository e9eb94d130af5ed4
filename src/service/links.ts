import type { CreatedEnvelope } from '../contract/error-envelope.ts'
import type { ListQuery } from '../contract/list-query.ts'
import type { Shortlink } from '../contract/shortlink.ts'
import type { Database } from '../database/database.ts'
import type { Addresses } from './addresses.ts'
import type { Caller } from './caller.ts'
import { createLink, type Creation } from './api/insert-link.ts'
import type { CreateWish } from './create-wish.ts'
import { grouped } from './grouped.ts'
import type { LinkList } from './link-list.ts'
import { ServiceError } from './service-error.ts'
import { listedShortlinkOf, shortlinkOf } from './api/shortlink.ts'
import { countClicks } from './store/clicks.ts'
import { createGroupCommit } from './store/group-commit.ts'
import { claim, keepAnswer, release, type Repeatable } from './store/idempotency-keys.ts'
import { selectLinks } from './store/links.ts'

/** What the interface does with links (spec §4): writes them, and lists them. */
export interface Links {
  /**
   * Creates a shortlink (spec §4.1), and returns once it is committed.
   *
   * @param repeatable where an Idempotency-Key came with the request
   * @returns the answer's JSON, as text: a repetition gets the first answer byte for byte
   * @throws ServiceError DUPLICATE_DESTINATION_URL (`details.shortlink` is the link that is there, where
   *   the caller may read),
   *   BACK_HALF_CONFLICT, or VALIDATION_ERROR for an Idempotency-Key of another request
   */
  create(wish: CreateWish, repeatable: Repeatable | undefined): Promise<string>
  /** One page of the caller's shortlinks (spec §4.2). */
  list(caller: Caller, query: ListQuery): Promise<LinkList>
}

/** @param deps.now milliseconds since 1970 */
export function createLinks({
  database: { db },
  addresses,
  now,
}: {
  database: Database
  addresses: Addresses
  now: () => number
}): Links {
  const commits = createGroupCommit(db)

  function answerOf(creation: Creation, { mayRead }: CreateWish): string {
    switch (creation.outcome) {
      case 'created':
        return createdAnswer(shortlinkOf(creation.link, addresses))
      case 'duplicate':
        throw new ServiceError(
          'DUPLICATE_DESTINATION_URL',
          'This destination has a short link on this domain already.',
          mayRead ? { details: { shortlink: shortlinkOf(creation.link, addresses) } } : {},
        )
      case 'quota_reached':
        throw new ServiceError(
          'FEATURE_LIMIT_EXCEEDED',
          `The quota of short links (${grouped(creation.maxLinks)}) is used up. An administrator of the link service can raise it.`,
          { details: { max_links: creation.maxLinks } },
        )
      case 'back_half_taken':
        throw new ServiceError('BACK_HALF_CONFLICT', 'This back-half is taken on this domain.', {
          details: { fields: { back_half: ['This back-half is taken. Choose another.'] } },
        })
    }
  }

  return {
    async create(wish, repeatable) {
      if (!repeatable) {
        const creation = await commits.write((transaction) => createLink(transaction, wish, now()))
        return answerOf(creation, wish)
      }
      // Conflicts are told after the commit: thrown inside, they would undo the others' creates.
      const answer = await commits.write(async (transaction) => {
        const earlier = await claim(transaction, repeatable, now())
        if (earlier) return () => earlierAnswer(earlier, repeatable)
        const creation = await createLink(transaction, wish, now())
        if (creation.outcome !== 'created') {
          await release(transaction, repeatable)
          return () => answerOf(creation, wish)
        }
        const text = answerOf(creation, wish)
        await keepAnswer(transaction, repeatable, text)
        return () => text
      })
      return answer()
    },

    async list({ ownerId, domainIds }, query) {
      const { rows, total } = await selectLinks(db, { ...query, ownerId, domainIds })
      const clicks = await countClicks(
        db,
        rows.map(({ id }) => id),
      )
      const { page, per_page: perPage } = query
      return {
        data: {
          status: 'success',
          message: total === 1 ? '1 shortlink in all.' : `${total} shortlinks in all.`,
          shortlinks: rows.map((row) => listedShortlinkOf(row, clicks.get(row.id) ?? 0, addresses)),
          pagination: {
            page,
            per_page: perPage,
            total_items: total,
            total_pages: Math.ceil(total / perPage),
          },
        },
      }
    },
  }
}

function createdAnswer(shortlink: Shortlink): string {
  const envelope: CreatedEnvelope = {
    data: { status: 'success', message: 'Shortlink created.', shortlink },
  }
  return JSON.stringify(envelope)
}

function earlierAnswer(
  earlier: { requestHash: string; answer: string },
  { requestHash }: Repeatable,
): string {
  if (earlier.requestHash === requestHash) return earlier.answer
  const message = 'This Idempotency-Key was used for another request. Choose a new one.'
  throw new ServiceError('VALIDATION_ERROR', message, {
    details: { fields: { 'Idempotency-Key': [message] } },
  })
}
