import { z } from 'zod'
import { CHECK_MS, errorCode } from './check.ts'
import { responseText } from './response-text.ts'
import { serverTime, type ServerTime } from './clock-skew.ts'

export const SLACK_API_URL = 'https://slack.com/api/'

/** The time limit of one call, in milliseconds: a check has time to report it. */
const CALL_MS = CHECK_MS - 1_000

/** Slack's answers are shorter. */
const MAX_CHARACTERS = 100_000

/** How to reach Slack. */
export interface SlackAccess {
  /** Slack's Web API, ending in a slash. */
  apiUrl?: string
  signal?: AbortSignal | undefined
  now?: () => number
}

/** How a call to Slack ended. */
export type SlackAnswer = { serverTime?: ServerTime | undefined } & (
  | { outcome: 'ok'; body: unknown; scopes: string | null }
  | { outcome: 'refused'; code: string; neededScope: string | undefined }
  | { outcome: 'limited'; seconds: string }
  | { outcome: 'trouble'; status: number }
  | { outcome: 'not_slack' }
  | { outcome: 'unreachable'; code: string }
)

const answerBody = z.object({
  ok: z.boolean(),
  error: z.string().max(100).optional(),
  needed: z.string().max(100).optional(),
})

/** Calls a method of Slack's Web API as the app does: by Node's fetch. It never rejects. */
export async function callSlack(
  method: string,
  { token, apiUrl = SLACK_API_URL, signal, now = Date.now }: SlackAccess & { token?: string },
  form: Record<string, string> = {},
): Promise<SlackAnswer> {
  const limit = AbortSignal.timeout(CALL_MS)
  const sentAt = now()
  try {
    const response = await fetch(new URL(method, apiUrl), {
      method: 'POST',
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      body: new URLSearchParams(form),
    })
    const time = { serverTime: serverTime(response.headers.get('date'), sentAt, now()) }
    const { status, headers } = response
    const text = await responseText(response, MAX_CHARACTERS)
    if (status === 429) {
      return { ...time, outcome: 'limited', seconds: headers.get('retry-after') ?? '60' }
    }
    if (status >= 500) return { ...time, outcome: 'trouble', status }
    const body = parseJson(text)
    const answer = answerBody.safeParse(body).data
    if (!answer) return { ...time, outcome: 'not_slack' }
    if (answer.ok) return { ...time, outcome: 'ok', body, scopes: headers.get('x-oauth-scopes') }
    const { error: code = 'no error code', needed: neededScope } = answer
    return { ...time, outcome: 'refused', code, neededScope }
  } catch (error) {
    return { outcome: 'unreachable', code: limit.aborted ? 'no answer in time' : errorCode(error) }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
