import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startAlertRig, type AlertRig } from '../../support/alerts.ts'
import { propertyRuns } from '../../support/full-run.ts'
import type { Alert } from '../../../src/workspaces/alerts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface ModelLink {
  name: string
  backHalf: string
  isTagged: boolean
  destination: string
  isOn: boolean
  isDeleted: boolean
  changedAt: number
  clicks: Map<string, number>
}

/** The alerts, and what each tells at a check: a plain computation from all that has happened. */
const ALERTS: readonly { alert: Alert; isAbout: (link: ModelLink) => boolean }[] = [
  { alert: { about: { kind: 'all' }, condition: 'reaches', number: 12 }, isAbout: () => true },
  {
    alert: { about: { kind: 'tag', name: 'spring' }, condition: 'in_a_day', number: 4 },
    isAbout: ({ isTagged }) => isTagged,
  },
  { alert: { about: { kind: 'all' }, condition: 'no_clicks', number: 2 }, isAbout: () => true },
  {
    alert: { about: { kind: 'tag', name: 'Spring' }, condition: 'changes' },
    isAbout: ({ isTagged }) => isTagged,
  },
]

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** What an alert should send. */
function createExpectation({ alert, isAbout }: (typeof ALERTS)[number]) {
  const told = new Set<string>()
  let before: Map<string, ModelLink> | undefined
  let pending: string[] = []
  const sentAt: number[] = []
  const sent: string[][] = []
  let isOver = false

  function eventsOf(links: readonly ModelLink[], now: number): string[] {
    const own = links.filter((link) => isAbout(link) && !link.isDeleted)
    const on = (day: string): number =>
      own.reduce((sum, link) => sum + (link.clicks.get(day) ?? 0), 0)
    const total = own.reduce(
      (sum, { clicks }) => sum + [...clicks.values()].reduce((a, b) => a + b, 0),
      0,
    )
    const today = dayOf(now)
    const { condition, number = 0 } = alert
    if (condition === 'reaches') return total >= number ? ['reached'] : []
    if (condition === 'in_a_day') {
      if (on(today) <= number || told.has(today)) return []
      told.add(today)
      return ['busy']
    }
    if (condition === 'no_clicks') {
      const days = Array.from({ length: number + 1 }, (_, ago) => on(dayOf(now - ago * DAY_MS)))
      const isSilent = total > 0 && days.every((clicks) => clicks === 0)
      const isNew = isSilent && !told.has('silent')
      if (isSilent) told.add('silent')
      else told.clear()
      return isNew ? ['silent'] : []
    }
    const earlier = before
    before = new Map(own.map((link) => [link.name, { ...link }]))
    if (!earlier) return []
    const deleted = [...earlier.values()].filter(({ name }) => !before?.has(name))
    const changed = own.toSorted((a, b) => a.changedAt - b.changedAt)
    return [
      ...deleted
        .toSorted((a, b) => a.changedAt - b.changedAt)
        .map(({ backHalf }) => `deleted ${backHalf}`),
      ...changed.flatMap((link) => {
        const known = earlier.get(link.name)
        if (!known) return [`created ${link.backHalf}`]
        if (known.isOn && !link.isOn) return [`off ${link.backHalf}`]
        return known.destination === link.destination ? [] : [`moved ${link.backHalf}`]
      }),
    ]
  }

  return {
    sent,
    check(links: readonly ModelLink[], now: number): void {
      if (isOver) return
      pending.push(...eventsOf(links, now))
      const last = sentAt.at(-1)
      const isFifth = last !== undefined && sentAt.filter((at) => at > last - DAY_MS).length >= 5
      const mayCome = last === undefined || now >= last + (isFifth ? DAY_MS : HOUR_MS)
      if (pending.length === 0 || !mayCome) return
      sent.push(pending)
      sentAt.push(now)
      pending = []
      isOver = alert.condition === 'reaches'
    },
  }
}

/** The messages that each alert has sent, in the same words. */
function messagesOf(rig: AlertRig, id: string, isOver: boolean): string[][] {
  const words: [RegExp, string][] = [
    [/ reached /, 'reached'],
    [/in a day\./, 'busy'],
    [/got no clicks for 2 days/, 'silent'],
    [/was created/, 'created'],
    [/now leads to another destination/, 'moved'],
    [/was turned off/, 'off'],
    [/was deleted/, 'deleted'],
  ]
  return rig
    .sent()
    .filter((text) =>
      isOver ? text.includes('is sent only once') : text.includes(`"value":"${id}"`),
    )
    .map((text) => {
      const [rows = ''] = text.split('"type":"context"')
      return [...rows.matchAll(/"text":":[\w]+: ([^"]*?\.)(?:\\n[^"]*)?"/g)].map(([, row = '']) => {
        const what = words.find(([test]) => test.test(row))?.[1] ?? row
        const backHalf = /\/(link\d+)[|>]/.exec(row)?.[1]
        return backHalf === undefined ? what : `${what} ${backHalf}`
      })
    })
}

const which = fc.nat()

const create = fc.record({ do: fc.constant('create' as const), isTagged: fc.boolean() })
const people = fc.integer({ min: 1, max: 5 })
const click = fc.record({ do: fc.constant('click' as const), which, people })
const change = fc.record({ do: fc.constantFrom('move', 'turnOff', 'turnOn', 'remove'), which })
const minutes = fc.constantFrom(5, 20, 60, 70, 90, 1_500, 4_000)
const pass = fc.record({ do: fc.constant('pass' as const), minutes })

const action = fc.oneof(
  { weight: 2, arbitrary: create },
  { weight: 4, arbitrary: click },
  { weight: 4, arbitrary: change },
  { weight: 6, arbitrary: pass },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

test('for any clicks, edits and restarts, alerts send what a plain computation says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 40, maxLength: 80, size: 'max' }),
      async (actions) => {
        const rig = await startAlertRig({ processes: 2 })
        try {
          await run(rig, actions)
        } finally {
          await rig.close()
        }
      },
    ),
    { numRuns: propertyRuns(20) },
  )
})

async function run(
  rig: AlertRig,
  actions: readonly (typeof action extends fc.Arbitrary<infer A> ? A : never)[],
) {
  const links: ModelLink[] = []
  const ids: string[] = []
  for (const { alert } of ALERTS) ids.push(await rig.add(alert))
  const expected = ALERTS.map(createExpectation)
  const check = async (ms: number): Promise<void> => {
    await rig.after(ms)
    for (const one of expected) one.check(links, rig.now())
  }
  await check(0)
  for (const one of actions) {
    if (one.do === 'pass') {
      await check(one.minutes * MINUTE_MS)
      continue
    }
    if (one.do === 'restart') {
      rig.restart()
      continue
    }
    rig.tick()
    if (one.do === 'create') {
      const backHalf = `link${links.length}`
      const { name } = await rig.create(backHalf, one.isTagged ? { tags: 'spring' } : {})
      links.push({
        name,
        backHalf,
        isTagged: one.isTagged,
        destination: backHalf,
        isOn: true,
        isDeleted: false,
        changedAt: rig.now(),
        clicks: new Map(),
      })
      continue
    }
    const alive = links.filter(({ isDeleted }) => !isDeleted)
    const link = alive[one.which % Math.max(1, alive.length)]
    if (!link) continue
    if (one.do === 'click') {
      await rig.click(link.name, one.people)
      const today = dayOf(rig.now())
      link.clicks.set(today, (link.clicks.get(today) ?? 0) + one.people)
      continue
    }
    if (one.do === 'remove') {
      await rig.client.remove(link.name)
      link.isDeleted = true
      continue
    }
    const isOn = one.do === 'move' ? link.isOn : one.do === 'turnOn'
    const destination = one.do === 'move' ? `${link.destination}x` : link.destination
    if (isOn === link.isOn && destination === link.destination) continue
    const changes =
      one.do === 'move'
        ? { destination_url: `https://example.com/${destination}` }
        : { enabled: isOn }
    await rig.client.update(link.name, changes)
    Object.assign(link, { isOn, destination, changedAt: rig.now() })
  }
  await check(DAY_MS)
  await check(DAY_MS)
  for (const [at, id] of ids.entries()) {
    const isOver = ALERTS[at]?.alert.condition === 'reaches'
    const shown = expected[at]?.sent.map((events) => events.slice(0, 10))
    expect(messagesOf(rig, id, isOver), JSON.stringify(ALERTS[at]?.alert)).toEqual(shown)
  }
}
