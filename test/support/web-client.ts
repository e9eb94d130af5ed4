import { LogLevel, WebClient } from '@slack/web-api'
import { expect } from 'vitest'
import { BOT_TOKEN } from './workspace.ts'

const nothing = (): void => undefined

/** Slack's own client, without retries and without log output. */
export function webClient(slackApiUrl: string, token: string | undefined = BOT_TOKEN): WebClient {
  return new WebClient(token, {
    slackApiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: {
      debug: nothing,
      info: nothing,
      warn: nothing,
      error: nothing,
      setLevel: nothing,
      setName: nothing,
      getLevel: () => LogLevel.ERROR,
    },
  })
}

/** Slack's answer to a call that fails; `accepted` if the call succeeds. */
export async function errorAnswer(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.then(
    () => 'accepted',
    (caught: unknown) => caught,
  )
  return error instanceof Error && 'data' in error ? error.data : error
}

/** Expects that a call fails with one of Slack's errors. */
export async function expectError(call: Promise<unknown>, error: string): Promise<void> {
  expect(await errorAnswer(call)).toMatchObject({ ok: false, error })
}
