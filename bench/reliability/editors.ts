import { randomUUID } from 'node:crypto'
import { CREATE_PATH, SHORTLINKS_PATH } from '../../src/contract/endpoints.ts'

/** The state of a link. Each change sets all of it. */
type State = 'deleted' | { destination: string; enabled: boolean; backHalf: string }

interface EditedLink {
  name: string
  /** The state after the last acknowledged change, followed by the state after each change whose response was lost. */
  states: State[]
  /** Every back-half that it had, including the last one. */
  backHalves: Set<string>
}

/** Programs that create links, and edit, turn off and delete them. */
export interface Editors {
  /** Stops making changes. Resolves when the last change is answered. */
  stop(): Promise<void>
  /** Compares every link and back-half with what was acknowledged. */
  figures(): Promise<{
    acknowledged: number
    lost: number
    wrong: string[]
    /** The longest time until a change was visible everywhere, in milliseconds. */
    latestMs: number
  }>
}

/** How many changes a link gets before it is deleted. */
const CHANGES = 4

/** How long an editor waits before it repeats a request, in milliseconds. */
const REPEAT_AFTER_MS = 20

/** How long an editor waits for an answer, in milliseconds. */
const TIMEOUT_MS = 30_000

/** How many links are compared at the same time. */
const AT_ONCE = 16

/** @param staleMs how long another process can still show an earlier state, in milliseconds */
export function startEditors(count: number, baseUrl: string, apiKey: string, staleMs = 0): Editors {
  const links: EditedLink[] = []
  const wrong: string[] = []
  let [acknowledged, lost, made, stopped] = [0, 0, 0, false]
  let latestMs = 0

  /** @returns undefined if there was no answer, or one that does not say what happened */
  async function send(
    method: string,
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; location: string | null; body: unknown } | undefined> {
    const body = fields && new FormData()
    for (const [name, value] of Object.entries(fields ?? {})) body?.set(name, value)
    const init = { method, headers: { 'x-api-key': apiKey, ...headers }, ...(body && { body }) }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const response = await fetch(baseUrl + path, { ...init, signal, redirect: 'manual' })
      const text = await response.text()
      if (response.status >= 500) return undefined
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const location = response.headers.get('location')
      return { status: response.status, location, body: isJson ? JSON.parse(text) : undefined }
    } catch {
      return undefined
    }
  }

  /** Repeats a request until it is answered. */
  async function sendUntilAnswered(...request: Parameters<typeof send>) {
    for (;;) {
      const answer = await send(...request)
      if (answer) return answer
      await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS))
    }
  }

  async function create(fields: Record<string, string>) {
    const headers = { 'idempotency-key': randomUUID() }
    return sendUntilAnswered('POST', CREATE_PATH, { domain: 'default', ...fields }, headers)
  }

  async function read({ name }: EditedLink): Promise<State> {
    const { status, body } = await sendUntilAnswered('GET', `${SHORTLINKS_PATH}/${name}`)
    return status === 404 ? 'deleted' : toState(body)
  }

  /** Reads a link, and reports a state that it can't be in. */
  async function check(link: EditedLink): Promise<void> {
    const known = link.states.map((state) => JSON.stringify(state))
    const start = performance.now()
    let found = await read(link)
    while (!known.includes(JSON.stringify(found)) && performance.now() - start < staleMs) {
      await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS))
      found = await read(link)
      latestMs = Math.max(latestMs, performance.now() - start)
    }
    if (!known.includes(JSON.stringify(found))) {
      wrong.push(`${JSON.stringify(link)} is ${JSON.stringify(found)}`)
    }
    link.states = [found]
  }

  /** Sends a change. If its response is lost, the link tells whether it was made. */
  async function change(link: EditedLink, state: State): Promise<void> {
    link.states.push(state)
    const path = `${SHORTLINKS_PATH}/${link.name}`
    const answer =
      state === 'deleted' ? await send('DELETE', path) : await send('PATCH', path, toFields(state))
    if (answer?.status === 200) {
      acknowledged += 1
      link.states = [state]
    } else lost += 1
    await check(link)
    const [is] = link.states
    if (is !== undefined && is !== 'deleted') link.backHalves.add(is.backHalf)
  }

  /** Creates a link, changes it and deletes it. Then a new link asks for one of its back-halves. */
  async function edit(): Promise<void> {
    const number = (made += 1)
    const destination = `https://example.com/edited/${number}`
    const { body } = await create({ destination_url: destination })
    const { name, shortlink_url: url } = shortlinkIn(body)
    const backHalf = new URL(url).pathname.slice(1)
    const state = { destination, enabled: true, backHalf }
    const link = { name, states: [state], backHalves: new Set([backHalf]) }
    links.push(link)
    for (let step = 1; step <= CHANGES && !stopped; step++) {
      await change(link, {
        destination: `${destination}/${step}`,
        enabled: step % 2 === 0,
        // The last change takes the first back-half back.
        backHalf: step === CHANGES ? backHalf : `edited-${number}-${step}`,
      })
    }
    // Every second link is kept, so that its last state is compared at the end.
    if (stopped || number % 2 === 0) return
    await change(link, 'deleted')
    for (const back_half of link.backHalves) {
      const { status } = await create({ destination_url: `${destination}/again`, back_half })
      if (status !== 409) wrong.push(`${back_half} was given to another link: ${status}`)
    }
  }

  async function checkBackHalves(link: EditedLink): Promise<void> {
    await check(link)
    const [state] = link.states
    for (const backHalf of link.backHalves) {
      const { status, location } = await sendUntilAnswered('GET', `/${backHalf}`)
      const leadsTo = state === 'deleted' || !state?.enabled ? 410 : state.destination
      if ((location ?? status) !== leadsTo) {
        wrong.push(`${backHalf} leads to ${location ?? status} instead of ${leadsTo}`)
      }
    }
  }

  const editors = Array.from({ length: count }, async () => {
    while (!stopped) await edit()
  })
  return {
    async stop() {
      stopped = true
      await Promise.all(editors)
    },
    async figures() {
      const queue = links.values()
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const link of queue) await checkBackHalves(link)
        }),
      )
      return { acknowledged, lost, wrong, latestMs }
    },
  }
}

function toFields({ destination, enabled, backHalf }: Exclude<State, 'deleted'>) {
  return { destination_url: destination, enabled: String(enabled), back_half: backHalf }
}

interface Shortlink {
  name: string
  shortlink_url: string
  destination_url: string
  enabled: boolean
  back_half: string
}

function shortlinkIn(body: unknown): Shortlink {
  return (body as { data: { shortlink: Shortlink } }).data.shortlink
}

function toState(body: unknown): State {
  const { destination_url: destination, enabled, back_half: backHalf } = shortlinkIn(body)
  return { destination, enabled, backHalf }
}
