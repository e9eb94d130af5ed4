import { LogLevel, WebClient } from '@slack/web-api'
import { BOT_TOKEN } from './workspace.ts'

const nothing = (): void => undefined

/** Slack's own client, without retries, and without the log lines that a refusal brings. */
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
