import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Failure } from '../support/injected-failures.ts'
import { SHORTLINKS_PATH } from '../../src/contract/endpoints.ts'
import { GLOBAL_SHORTCUT, MESSAGE_SHORTCUT, WORKFLOW_STEP } from '../../src/slack/ids.ts'
import { SLACK_TIMEOUT_MS } from '../../src/slack/platform/slack-client.ts'
import { startAppElsewhere, type AppElsewhere } from '../support/app-elsewhere.ts'
import { createDrivenClock, type DrivenClock, type UntilOptions } from '../support/driven-clock.ts'
import {
  clickAnswer,
  created,
  failure,
  oneLink,
  success,
  type Answer,
  type Fault,
  type ReceivedRequest,
  type Responder,
} from '../support/fake-link-service.ts'
import { offersDocument } from '../support/offers-document.ts'
import { PNG } from '../support/images.ts'
import type { PersonDriver } from '../support/person.ts'
import { texts } from '../support/texts.ts'

/**
 * Each surface meets faults of the methods of Slack that it uses, and of the link service.
 * Whatever fails, the app acknowledges within 3 s and answers within 15 s, and a link that was created reaches
 * the user. What the user can read at the end is what the service holds then. Times are those of a clock that the test
 * drives.
 */

const ACKNOWLEDGED_WITHIN_MS = 3_000
const ANSWERED_WITHIN_MS = 15_000

let clock: DrivenClock
let app: AppElsewhere
let ana: PersonDriver

/** How long the link service takes to create a link. */
let createMs = 0
/** How many links the service has made. Each has a short URL of its own. */
let made = 0
/** The short URLs of the links that were created, by their `Idempotency-Key`. */
const createdBy = new Map<unknown, string>()
/** The link of the list, as the service holds it; undefined if it was deleted. */
let listed: { enabled: boolean; title?: string } | undefined = { enabled: true }

const shortUrl = (): string => `https://go.example.com/made-${made}`

const LISTED = {
  name: 'lnk_1',
  destination_url: 'https://example.com/listed',
  shortlink_url: 'https://go.example.com/listed',
}

const NEW_TITLE = 'Another title'
let titles = 0

async function answering({ method, url, body, headers }: ReceivedRequest): Promise<Answer> {
  if (url.startsWith(`${SHORTLINKS_PATH}/${LISTED.name}/clicks`)) {
    return clickAnswer([{ date: '2026-03-01', people: 1, bots: 0 }])
  }
  const isWrite = method !== 'GET'
  if (isWrite && createMs > 0) await clock.sleep(createMs)
  if (url === `${SHORTLINKS_PATH}/${LISTED.name}`) {
    if (!listed) return failure(404, 'NOT_FOUND')
    if (method === 'PATCH' && body.includes(NEW_TITLE)) listed.title = NEW_TITLE
    const [, enabled] = /name="enabled"\s+(true|false)/.exec(body) ?? []
    if (method === 'PATCH' && enabled) listed.enabled = enabled === 'true'
    if (method === 'DELETE') listed = undefined
    return listed ? oneLink({ ...LISTED, ...listed }, '"1"') : success({})
  }
  if (!isWrite) return { status: 200, body: { links: listed ? [{ ...LISTED, ...listed }] : [] } }
  const key = headers['idempotency-key']
  if (!createdBy.has(key)) {
    made += 1
    createdBy.set(key, shortUrl())
  }
  return created({ shortlink_url: createdBy.get(key) })
}

/** Starts an app for some of the surfaces. After each test, it forgets the messages, because each makes a workspace slower. */
function useNewApp({ needsOffers = false }: { needsOffers?: boolean }): void {
  beforeAll(async () => {
    clock = createDrivenClock()
    const offers = needsOffers ? { status: 200, body: offersDocument() } : undefined
    app = await startAppElsewhere({ answers: answering, clock, document: offers })
    ana = app.slack.ana
  })
  afterEach(async () => {
    app.slack.stopFailing()
    createMs = 0
    step = ''
    app.service.answers(answering)
    await settled()
    listed = { enabled: true }
    await ana.closesAll()
    app.slack.takeRefusals()
    const { messages, conversations } = app.slack.workspace.parts
    for (const { id } of conversations.listFor(ana.id)) {
      for (const { ts } of messages.visible(id, ana.id)) messages.remove(id, ts)
    }
  })
  afterAll(() => app.stop())
}

/** A request to Slack whose answer is still on its way must not seem to be late. */
const until = <T>(condition: () => T, options: UntilOptions = {}) =>
  clock.until(condition, {
    isBusy: (sleeps) => {
      const requests = sleeps.filter((ms) => ms === SLACK_TIMEOUT_MS).length
      return requests !== app.slack.hangingCalls()
    },
    mayTimeOut: () => app.service.hanging() > 0,
    ...options,
  })

/** Waits until the app has nothing left to do. */
const settled = () =>
  until(() => clock.sleeping().length === 0 && app.service.hanging() === 0, { hurries: true })

/** The messages of the app that Ana sees anywhere, as text. */
const answers = (): string[] =>
  ['general', 'app'].flatMap((where) =>
    ana
      .sees(where)
      .filter(({ author }) => author.kind === 'app')
      .map((message) => texts(message)),
  )

/** One way to use the app. */
interface Surface {
  /** Whether the link service must offer the calls for single links. */
  needsOffers?: boolean
  /** Goes as far as possible before the fault. */
  prepare?: () => Promise<unknown>
  act: () => Promise<unknown>
  /** The answer if everything works, given how many messages there were and links had been created. */
  isAnswered: (before: { answers: number; made: number }) => unknown
  /** The methods that it calls. The first surface with a method meets all faults of it, others only `SLOW_FAULTS`. */
  methods: string[]
  /** What it changes at the link service. By default, nothing. */
  changes?: keyof typeof CLAIMS | 'made'
  /** Whether it works without the link service, and then says less. */
  saysLess?: true
  /** The faults of the link service that it meets. By default, one that takes long and one that doesn’t. */
  serviceFaults?: string[]
}

/** The last of the three calls of an upload. After a fault of another call, the app does the same. */
const UPLOADED = 'files.completeUploadExternal'

const linkArrived = ({ made: before }: { made: number }): boolean =>
  made > before && answers().some((text) => text.includes(shortUrl()))

async function formIsOpen(): Promise<void> {
  await ana.seesModal()
  ana.fills({ Destination: 'https://example.com/page' })
}

/** Opens the checklist of a message with so many links; of a single one, the form. */
async function checklistIsOpen(links: number): Promise<void> {
  const urls = Array.from({ length: links }, (_, index) => `https://example.com/${index}`)
  const message = await ana.posts(`See ${urls.join(' ')}`)
  await ana.runsMessageShortcut(MESSAGE_SHORTCUT, 'general', message)
  await ana.seesModal()
}

const home = (): string => JSON.stringify(ana.home() ?? {})

async function homeIsShown(): Promise<void> {
  await ana.opensHome()
  await until(() => home().includes('go.example.com/listed'))
}

async function listIsShown(): Promise<void> {
  await ana.types('/shorten list', { in: 'general' })
  await until(() => answers().some((text) => text.includes('list_sort')))
}

const modalShows = (text: RegExp): boolean => text.test(JSON.stringify(ana.modal() ?? {}))

const isNewAnswer = (before: { answers: number }): boolean => answers().length > before.answers

/** Whether there is a new answer, or the modal shows this. */
const newAnswerOr = (text: RegExp) => (before: { answers: number }) =>
  isNewAnswer(before) || (ana.modal() !== undefined && modalShows(text))

/** Whether a message or the Home tab tells this. What failed arrives as a new message. */
const told = (text: RegExp) => (before: { answers: number }) =>
  isNewAnswer(before) || text.test(seen())

/** Changes of the listed link: how the user learns that one was made, whether it was, and whether the list shows it. */
const CLAIMS = {
  off: {
    says: /\*Turned off\.\*/,
    isTrue: () => listed?.enabled === false,
    isListed: (shown: string) => shown.includes('"Turn on"'),
  },
  on: {
    says: /\*Turned on\.\*/,
    isTrue: () => listed?.enabled === true,
    isListed: (shown: string) => shown.includes('"Turn off"'),
  },
  saved: {
    says: /\*Saved\.\*/,
    isTrue: () => listed?.title === NEW_TITLE,
    isListed: (shown: string) => shown.includes(NEW_TITLE),
  },
  deleted: {
    says: /\*Deleted\.\*/,
    isTrue: () => listed === undefined,
    isListed: (shown: string) => shown.includes('*Deleted.*'),
  },
}

/** Says that the change might have been made. */
const UNKNOWN = /might have been|confirmed none of the links/

/** Compares what the user can read at the end with what the service holds then. */
async function expectTruth({ changes }: Surface, before: { made: number }): Promise<void> {
  if (!changes) return
  await settled()
  const text = seen()
  if (UNKNOWN.test(text)) return
  if (changes === 'made') {
    const shown = new Set(text.match(/go\.example\.com\/made-\d+/g))
    const isShown = (number: number): boolean => shown.has(`go.example.com/made-${number}`)
    const madeNow = Array.from({ length: made - before.made }, (_, at) => before.made + at + 1)
    expect(madeNow.filter((number) => !isShown(number))).toEqual([])
    return
  }
  const { says, isTrue, isListed } = CLAIMS[changes]
  expect(says.test(text)).toBe(isTrue())
  if (isTrue()) await until(() => isListed([...answers(), home()].join()))
}

const SERVICE_FAULTS: Record<string, Answer | Fault> = {
  hangs: 'hang',
  'breaks the connection': 'destroy',
  'returns 429': { status: 429, headers: { 'retry-after': '1' }, body: {} },
  'returns 429 for an hour': { status: 429, headers: { 'retry-after': '3600' }, body: {} },
  'returns 500': { status: 500, body: {} },
  'answers with an HTML page': { status: 200, body: '<html>' },
}

const ALL_FAULTS = Object.keys(SERVICE_FAULTS)

let step = ''

const inGeneral = { in: 'general' }

const SHORTENS = { isAnswered: linkArrived, changes: 'made' } as const

const types = (text: string) => (): Promise<unknown> => ana.types(`/shorten${text}`, inGeneral)

const submits = (): Promise<unknown> => ana.submits()

/** The same while the service takes long for a write, so that the form is acknowledged before. */
const slowly = (surface: Surface): Surface => ({
  ...surface,
  prepare: async () => {
    await surface.prepare?.()
    createMs = 2_600
  },
  methods: ['views.update'],
  serviceFaults: [],
})

const FORM: Surface = {
  prepare: async () => {
    await ana.opens('/shorten')
    await formIsOpen()
  },
  act: submits,
  ...SHORTENS,
  methods: ['response_url'],
}

const CHECKLIST: Surface = {
  ...FORM,
  prepare: () => checklistIsOpen(2),
}

const EDIT_FORM: Surface = {
  needsOffers: true,
  prepare: async () => {
    await listIsShown()
    await ana.chooses('Edit', inGeneral)
    await until(() => modalShows(/edit_form/))
    ana.fills({ Title: NEW_TITLE })
  },
  act: submits,
  isAnswered: told(/\*Saved\.\*|find out from Slack/),
  methods: ['response_url', 'users.info'],
  changes: 'saved',
}

const DELETE_FORM: Surface = {
  needsOffers: true,
  prepare: async () => {
    await listIsShown()
    await ana.chooses('Delete', inGeneral)
    await until(() => modalShows(/never lead anywhere again/))
  },
  act: submits,
  isAnswered: told(/\*Deleted\.\*|find out from Slack/),
  methods: ['response_url', 'users.info'],
  serviceFaults: ALL_FAULTS,
  changes: 'deleted',
}

const SURFACES: Record<string, Surface> = {
  command: {
    act: types(' https://example.com/page'),
    ...SHORTENS,
    methods: ['response_url', 'files.getUploadURLExternal', 'upload', UPLOADED],
    serviceFaults: ALL_FAULTS,
  },
  'command with the Home tab open': {
    prepare: homeIsShown,
    act: types(' https://example.com/page'),
    ...SHORTENS,
    methods: ['views.publish'],
    serviceFaults: [],
  },
  form: FORM,
  'form at a slow service': slowly(FORM),
  'form with an image': {
    ...FORM,
    prepare: async () => {
      await ana.opens('/shorten')
      await ana.presses('Add a custom preview')
      await ana.seesModal('file_input')
      await formIsOpen()
      ana.uploads('Preview image', { name: 'card.png', bytes: PNG })
    },
    isAnswered: (before) =>
      linkArrived(before) ||
      modalShows(/This image couldn’t be read from Slack|isn’t the kind of file/),
    methods: ['files.info', 'download'],
  },
  'form of the global shortcut': {
    ...FORM,
    prepare: async () => {
      await ana.runsShortcut(GLOBAL_SHORTCUT)
      await formIsOpen()
      ana.fills({ conversation: 'general' })
    },
    serviceFaults: [],
  },
  'form of the message shortcut': {
    ...FORM,
    prepare: async () => {
      await checklistIsOpen(1)
      await formIsOpen()
    },
    serviceFaults: [],
  },
  checklist: CHECKLIST,
  'checklist at a slow service': slowly(CHECKLIST),
  'checklist of 30 links': {
    ...CHECKLIST,
    prepare: () => checklistIsOpen(30),
    methods: [],
  },
  list: {
    act: types(' list'),
    isAnswered: isNewAnswer,
    methods: ['response_url'],
    serviceFaults: ALL_FAULTS,
  },
  'QR code of a listed link': {
    needsOffers: true,
    prepare: listIsShown,
    act: () => ana.chooses('Copy, QR code, share…', inGeneral),
    isAnswered: newAnswerOr(/slack_file|QR image/),
    methods: ['views.open', 'views.update', UPLOADED],
    saysLess: true,
  },
  'QR code in the Home tab': {
    needsOffers: true,
    prepare: homeIsShown,
    act: () => ana.chooses('Copy, QR code, share…', { in: 'home' }),
    isAnswered: newAnswerOr(/slack_file|QR image/),
    methods: ['views.open', 'views.update'],
    saysLess: true,
  },
  'Home tab': {
    prepare: homeIsShown,
    act: () => ana.chooses('Oldest first', { in: 'home' }),
    isAnswered: (before) =>
      isNewAnswer(before) || /"initial_option":\{[^}]*\}?[^}]*most_recent:asc/.test(home()),
    methods: ['views.publish', 'users.info'],
  },
  'turning off a listed link': {
    needsOffers: true,
    prepare: listIsShown,
    act: () => ana.chooses('Turn off', inGeneral),
    isAnswered: told(/Turned off\.|find out from Slack/),
    methods: ['response_url', 'users.info'],
    serviceFaults: ALL_FAULTS,
    changes: 'off',
  },
  'turning off a link in the Home tab': {
    needsOffers: true,
    prepare: async () => {
      // Until the tab is drawn again, it shows the links of the test before.
      const title = `Listed ${++titles}`
      listed = { enabled: true, title }
      await ana.opensHome()
      await until(() => home().includes(title))
    },
    act: () => ana.chooses('Turn off', { in: 'home' }),
    isAnswered: told(/Turned off\.|find out from Slack/),
    methods: ['views.publish', 'users.info'],
    changes: 'off',
  },
  'undoing that a link was turned off': {
    needsOffers: true,
    prepare: async () => {
      await listIsShown()
      await ana.chooses('Turn off', inGeneral)
      await until(() => answers().join().includes('undo_turn_off'))
    },
    act: () => ana.presses('Undo', inGeneral),
    isAnswered: told(/Turned on\.|find out from Slack/),
    methods: ['response_url', 'users.info'],
    changes: 'on',
  },
  'opening the form to edit a link': {
    needsOffers: true,
    prepare: listIsShown,
    act: () => ana.chooses('Edit', inGeneral),
    isAnswered: newAnswerOr(/edit_form|find out from Slack/),
    methods: ['views.open', 'views.update', 'users.info'],
  },
  'editing a link': EDIT_FORM,
  'editing a link at a slow service': slowly(EDIT_FORM),
  'deleting a link': DELETE_FORM,
  'deleting a link at a slow service': slowly(DELETE_FORM),
  'clicks of a link': {
    needsOffers: true,
    prepare: listIsShown,
    act: types(' clicks go.example.com/listed'),
    isAnswered: isNewAnswer,
    methods: ['response_url', UPLOADED],
  },
  'clicks in a modal': {
    needsOffers: true,
    prepare: listIsShown,
    act: () => ana.chooses('Clicks, alert me…', inGeneral),
    isAnswered: newAnswerOr(/Clicks on/),
    methods: ['views.open', 'views.update', UPLOADED],
  },
  'search by a command': {
    needsOffers: true,
    act: types(' list page'),
    isAnswered: isNewAnswer,
    methods: ['users.info'],
  },
  'search in the form': {
    needsOffers: true,
    prepare: async () => {
      await listIsShown()
      await ana.presses('Search', inGeneral)
      await until(() => modalShows(/search_form/))
      ana.fills({ 'Search for': 'page' })
    },
    act: submits,
    isAnswered: (before) => newAnswerOr(/:warning:|now shows the results/)(before) || !ana.modal(),
    methods: ['response_url', 'users.info'],
  },
  'sharing a link': {
    needsOffers: true,
    prepare: async () => {
      await ana.types('/shorten https://example.com/page qr=off', inGeneral)
      await until(() => answers().some((text) => text.includes('share_link')))
    },
    act: () => ana.presses('Share in channel', inGeneral),
    isAnswered: isNewAnswer,
    methods: ['response_url'],
    saysLess: true,
  },
  'opening the form': {
    act: types(''),
    isAnswered: newAnswerOr(/./),
    methods: ['views.open'],
    serviceFaults: [],
  },
  'opening the form of the global shortcut': {
    act: () => ana.runsShortcut(GLOBAL_SHORTCUT),
    isAnswered: newAnswerOr(/./),
    methods: ['views.open'],
    serviceFaults: [],
  },
  'workflow step': {
    act: async () =>
      (step = await ana.runsStep(WORKFLOW_STEP, { destination_url: 'https://example.com/page' })),
    isAnswered: () => JSON.stringify(ana.stepRun(step)?.outcome ?? '').includes(shortUrl()),
    methods: [UPLOADED],
    changes: 'made',
  },
}

const FAULTS: Record<string, Failure> = {
  hangs: { hangs: true },
  'breaks the connection': { reset: true },
  'loses the answer': { lost: true },
  'returns 500': { status: 500 },
  'answers ok: false': { error: 'internal_error' },
  'returns 429 for 2 s': { status: 429, retryAfterSeconds: 2 },
  'returns 429 for 90 s': { status: 429, retryAfterSeconds: 90 },
}

/**
 * Every surface meets these. The app treats the other faults of a method in the same way on all surfaces: it makes the
 * same calls as after one of these, in less time.
 */
const SLOW_FAULTS = ['hangs', 'loses the answer', 'returns 429 for 2 s']

/** More often than the app tries. */
const ALWAYS = 1_000

/** Uses a surface after something begins to fail. The answer comes in time, and is true. */
async function use(
  surface: Surface,
  fail: () => void,
  isAnswered: Surface['isAnswered'] = surface.isAnswered,
): Promise<void> {
  await surface.prepare?.()
  const before = { answers: answers().length, made }
  fail()
  const start = clock.now()
  let acknowledgedMs: number | undefined
  let answeredMs: number | undefined
  const acted = surface.act().then(() => (acknowledgedMs = clock.now() - start))
  await until(() => {
    if (answeredMs === undefined && isAnswered(before)) answeredMs = clock.now() - start
    return acknowledgedMs !== undefined && answeredMs !== undefined
  })
  await acted
  expect(acknowledgedMs).toBeLessThanOrEqual(ACKNOWLEDGED_WITHIN_MS)
  expect(answeredMs).toBeLessThanOrEqual(ANSWERED_WITHIN_MS)
  await expectTruth(surface, before)
}

/** What a user can see, as one text: a failure appears in a message, a modal, the Home tab or the workflow. */
const seen = (): string =>
  JSON.stringify([answers(), ana.modal() ?? '', ana.stepRun(step)?.outcome ?? '', home()])

const explanations = (): number => seen().split(/link service|\*Deleted\.\*/).length

/** The methods with the surfaces that meet all faults of them. */
const FULLY_AT = new Map(
  Object.entries(SURFACES)
    .toReversed()
    .flatMap(([name, { methods }]) => methods.map((method) => [method, name])),
)

/** Surfaces share an app, except after the Home tab was opened: from then on, each new link draws it again. */
const GROUPS = Map.groupBy(Object.entries(SURFACES), ([name, { needsOffers }]) =>
  name.includes('Home tab') ? name : needsOffers ? 'offers' : 'no offers',
)

describe.each([...GROUPS])('%s', (_group, surfaces) => {
  useNewApp(surfaces[0]?.[1] ?? {})

  describe.each(surfaces)('%s', (name, surface) => {
    describe.each(surface.methods)('answers in time if %s', (method) => {
      const isFull = FULLY_AT.get(method) === name
      const faults = Object.entries(FAULTS).filter(
        ([fault]) => isFull || SLOW_FAULTS.includes(fault),
      )
      test.each(faults)('%s', async (_fault, failure) => {
        await use(surface, () => app.slack.failNext(method, failure, ALWAYS))
      })
    })

    const { serviceFaults = ['hangs', 'returns 500'] } = surface
    const faults = Object.entries(SERVICE_FAULTS).filter(([fault]) => serviceFaults.includes(fault))

    /** The service answers like this from now on. The app explains that, or works nevertheless. */
    function meets(responder: Responder, mayWork = surface.saysLess): Promise<void> {
      let before = 0
      const fail = (): void => {
        before = explanations()
        app.service.answers(responder)
      }
      return use(
        surface,
        fail,
        (start) => explanations() > before || (mayWork && surface.isAnswered(start)),
      )
    }

    test.each(faults)('explains in time that the link service %s', (_fault, answer) =>
      meets(() => answer),
    )
    if (!surface.changes) return
    test.each(faults.filter(([fault]) => !fault.includes('429')))(
      'says only what it knows if the link service makes the change and then %s',
      (_fault, answer) =>
        meets(async (request) => {
          const answered = await answering(request)
          return request.method === 'GET' ? answered : answer
        }, true),
    )
  })
})
