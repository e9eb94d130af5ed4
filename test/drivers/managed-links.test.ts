import { expect, test } from 'vitest'
import { managedLinks } from '../../src/drivers/managed-links.ts'
import { failureOf } from '../../src/port/failures.ts'
import type { ListedLink } from '../../src/port/links.ts'

type Arguments = Parameters<typeof managedLinks>

/** A link service whose response has another ID than the request, and its links with what it was asked to change. */
function service(version?: string) {
  const stored: ListedLink = {
    name: 'other',
    destination_url: 'https://example.com/',
    shortlink_url: 'https://go.example.com/a',
    ...(version && { updated_at: version }),
  }
  const changed: string[] = []
  const call: Arguments[0]['call'] = (_operation, _options, run) =>
    run(new AbortController().signal)
  const unused = () => Promise.reject(new Error('not called'))
  const links = managedLinks({ call }, {} as Arguments[1], {
    list: unused,
    remove: unused,
    clicks: unused,
    listDomains: unused,
    get: async () => stored,
    async change(name, link) {
      changed.push(name)
      return link
    },
  })
  return { links, changed }
}

test('changes the link that was asked for, even if the service responds with another one', async () => {
  const { links, changed } = service()
  await links.update('link_1', { title: 'New' })
  expect(changed).toEqual(['link_1'])
})

test('changes nothing if the link has another version', async () => {
  const { links, changed } = service('2027-01-02T00:00:00Z')
  const outcome = links.update('link_1', { title: 'New' }, { etag: '2027-01-01T00:00:00Z' })
  await expect(outcome).rejects.toSatisfy((error) => Boolean(failureOf(error, 'changed')))
  expect(changed).toEqual([])
})

test('ignores the version of an edit if the service has none, such as Shlink', async () => {
  const { links, changed } = service()
  await links.update('link_1', { title: 'New' }, { etag: '"3"' })
  expect(changed).toEqual(['link_1'])
})
