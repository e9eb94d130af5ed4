import { expect, test } from 'vitest'
import { createInFlightTasks } from '../../src/http/in-flight-tasks.ts'
import { inRequest } from '../../src/http/request-context.ts'
import { recordingLogger } from '../support/recording-logger.ts'

function setUp() {
  const { logger, lines } = recordingLogger()
  return { tasks: createInFlightTasks(logger), lines }
}

test('drains when the tasks in flight have ended, including those that start meanwhile', async () => {
  const { tasks } = setUp()
  const ends: string[] = []
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const first = tasks.track(async () => {
    await promise
    ends.push('first')
    void tasks.track(async () => {
      await Promise.resolve()
      ends.push('second')
    })
  })
  const drained = tasks.drained().then(() => ends.push('drained'))
  resolve(undefined)
  await first
  await drained
  expect(ends).toEqual(['first', 'second', 'drained'])
})

test('waits for all tasks of a request, including those in the background', async () => {
  const { tasks } = setUp()
  const ends: string[] = []
  const [first, background, other] = [1, 2, 3].map(() => Promise.withResolvers<undefined>())
  const run = (id: string, task: () => Promise<unknown>) => inRequest(() => tasks.track(task), id)
  void run('other', async () => other?.promise)
  const answered = run('one', async () => {
    await first?.promise
    tasks.runInBackground(async () => {
      await background?.promise
      ends.push('background')
    }, 'it failed')
  })
  const drained = tasks.requestDrained('one').then(() => ends.push('drained'))
  first?.resolve(undefined)
  await answered
  expect(ends).toEqual([])
  background?.resolve(undefined)
  await drained
  expect(ends).toEqual(['background', 'drained'])
  other?.resolve(undefined)
  await tasks.drained()
})

test('passes the failure of a task to the caller, and counts the task as ended', async () => {
  const { tasks, lines } = setUp()
  await expect(tasks.track(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await tasks.drained()
  expect(lines).toEqual([])
})

test('counts a task in the background, and logs its failure, even if it fails before it awaits anything', async () => {
  const { tasks, lines } = setUp()
  const { promise, reject } = Promise.withResolvers<undefined>()
  tasks.runInBackground(() => promise, 'the welcome message could not be sent')
  const drained = tasks.drained()
  expect(lines).toEqual([])
  reject(new Error('channel_not_found'))
  await drained
  tasks.runInBackground((): Promise<never> => {
    throw new Error('a bug')
  }, 'the task failed')
  await tasks.drained()
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      level: 50,
      msg: 'the welcome message could not be sent',
      err: { message: 'channel_not_found' },
    },
    { msg: 'the task failed', err: { message: 'a bug' } },
  ])
})
