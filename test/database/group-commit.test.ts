import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from '../../src/database/errors.ts'
import { createGroupCommit } from '../../src/database/group-commit.ts'

/** A database that fails for each commit with a write that throws, and that remembers its commits. */
function recordCommits() {
  const commits: { writes: string[]; owners: string[] }[] = []
  const group = createGroupCommit<string | Error>(async (writes, owners) => {
    const failed = writes.find((write) => write instanceof Error)
    if (failed) throw failed
    commits.push({ writes: writes.map(String), owners: [...owners] })
    return writes.map((write) => `${String(write)} done`)
  })
  return { group, commits }
}

test('concurrent writes share a commit, and each gets its own result', async () => {
  const { group, commits } = recordCommits()
  const results = await Promise.all(['a', 'b', 'c'].map((name) => group.write(name, `of ${name}`)))
  expect(results).toEqual(['a done', 'b done', 'c done'])
  expect(await group.write('later')).toBe('later done')
  expect(commits).toEqual([
    { writes: ['a', 'b', 'c'], owners: ['of a', 'of b', 'of c'] },
    { writes: ['later'], owners: [] },
  ])
})

test('a failed write does not affect the others', async () => {
  const { group, commits } = recordCommits()
  const failed = new Error('failed')
  const outcomes = await Promise.allSettled(
    ['before', failed, 'after'].map((write) => group.write(write)),
  )
  expect(outcomes).toMatchObject([
    { value: 'before done' },
    { reason: failed },
    { value: 'after done' },
  ])
  expect(commits.map(({ writes }) => writes)).toEqual([['before'], ['after']])
})

test('if the database is unavailable, no write is tried again, and none that waits is tried at all', async () => {
  const { group, commits } = recordCommits()
  const unavailable = new DatabaseUnavailableError('the disk is full', { mayHaveCommitted: true })
  const first = [group.write(unavailable), group.write('together')]
  // The first commit takes at most 100 writes.
  const rest = Array.from({ length: 98 }, () => group.write('together'))
  const waiting = group.write('waiting')
  const outcomes = await Promise.allSettled([...first, ...rest])
  expect(
    new Set(outcomes.map((outcome): unknown => 'reason' in outcome && outcome.reason)),
  ).toEqual(new Set([unavailable]))
  await expect(waiting).rejects.toMatchObject({ cause: unavailable, mayHaveCommitted: false })
  expect(commits).toEqual([])
  expect(await group.write('again')).toBe('again done')
})

test('owners take turns, however much one of them writes', async () => {
  const { group, commits } = recordCommits()
  const many = Array.from({ length: 250 }, (_, at) => group.write(`many ${at}`, 'busy'))
  const few = ['x', 'y'].map((name) => group.write(name, 'other'))
  await Promise.all([...many, ...few])
  expect(commits.map(({ writes }) => writes.length)).toEqual([100, 100, 52])
  expect(commits[0]?.writes.slice(0, 5)).toEqual(['many 0', 'x', 'many 1', 'y', 'many 2'])
  expect(commits.flatMap(({ writes }) => writes)).toHaveLength(252)
})

test('refuses writes of an owner of whom too many wait, and those of all if too many wait', async () => {
  const { group } = recordCommits()
  const write = (owner: string) => group.write(owner, owner).catch((error: unknown) => error)
  const busy = Array.from({ length: 1_001 }, () => write('busy'))
  const others = Array.from({ length: 4_001 }, (_, at) => write(`owner ${at % 5}`))
  expect(group.queued()).toBe(5_000)
  const refused = [(await Promise.all(busy)).at(-1), (await Promise.all(others)).at(-1)]
  for (const error of refused) {
    expect(error).toEqual(new DatabaseUnavailableError('too many writes wait'))
  }
  expect(group.queued()).toBe(0)
})

test('closing waits for everything that was requested, and later writes fail', async () => {
  const { group, commits } = recordCommits()
  const written = Array.from({ length: 150 }, () => group.write('early'))
  await group.close()
  expect(commits.map(({ writes }) => writes.length)).toEqual([100, 50])
  await Promise.all(written)
  await expect(group.write('late')).rejects.toThrow('it is closed')
})
