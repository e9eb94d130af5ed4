import { expect, test } from 'vitest'
import { describeServiceOnEveryDatabase } from '../../support/fixtures.ts'
import { addLinks, linkRow } from '../../support/rows.ts'
import { errorIn, getList, newOwner } from '../../support/service-calls.ts'

describeServiceOnEveryDatabase((service) => {
  test('100 slow searches of an owner don’t fail the lists of another', async () => {
    const { database, ownerId: owner_id } = service
    const slow = Array.from({ length: 500 }, (_, at) => {
      const destination_url = `https://example.com/${'a'.repeat(1_950)}`
      return linkRow(`slow-${at}`, { owner_id, destination_url })
    })
    await addLinks(database, ...slow)
    const other = await newOwner(service, 'Other')
    const searches = Array.from({ length: 100 }, () => getList(service, `q=${'a'.repeat(199)}b`))
    const lists = await Promise.all(Array.from({ length: 10 }, () => getList(other)))
    expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200))
    const answers = await Promise.all(searches)
    // How many are refused depends on how fast the machine is (owner-turns.test.ts).
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(errorIn(answer).slice(0, 2)).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
      expect(answer.headers.get('retry-after')).toBe('1')
    }
  })
})
