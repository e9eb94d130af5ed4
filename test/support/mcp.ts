import { createHmac } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { PEOPLE, TEAM } from '../../src/simulator/workspace/seeds.ts'
import { SIGNING_SECRET } from './workspace.ts'

const [ANA] = PEOPLE

/** What Slackbot says about the person who asks. */
export type SlackIdentity = Partial<Record<'user_id' | 'team_id' | 'enterprise_id', string | null>>

/** A request as Slack signs it. */
export interface Signing {
  secret?: string
  /** Seconds since 1970. */
  time?: number
}

/** The headers with which Slack signs a body. */
export function signed(
  body: string,
  { secret = SIGNING_SECRET, time = Math.floor(Date.now() / 1_000) }: Signing = {},
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
  return {
    'x-slack-request-timestamp': String(time),
    'x-slack-signature': `v0=${signature}`,
  }
}

/** A request that Slackbot sent. */
interface SentRequest {
  body: string
  headers: Record<string, string>
}

/**
 * Slackbot: the official client, with a fetch that signs as Slack does.
 *
 * @param revision of the protocol: that of 2025, with a handshake, or the newest
 */
export async function connectSlackbot(
  appUrl: string,
  { revision = 'auto', ...signing }: Signing & { revision?: 'legacy' | 'auto' } = {},
) {
  const sent: SentRequest[] = []
  const client = new Client(
    { name: 'slackbot', version: '1' },
    { versionNegotiation: { mode: revision } },
  )
  const transport = new StreamableHTTPClientTransport(new URL(`${appUrl}/slack/mcp`), {
    fetch(url, init) {
      const body = typeof init?.body === 'string' ? init.body : ''
      const headers = {
        ...Object.fromEntries(new Headers(init?.headers)),
        ...signed(body, signing),
      }
      if (init?.method === 'POST') sent.push({ body, headers })
      return fetch(url, { ...init, headers })
    },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    sent,
    /** Calls a tool for Ana, unless told otherwise. */
    calls: async (
      name: string,
      input: Record<string, unknown>,
      identity: SlackIdentity | null = {},
    ) => {
      const slack = { user_id: ANA.id, team_id: TEAM.id, ...identity }
      const result = await client.callTool({
        name,
        arguments: input,
        ...(identity && { _meta: { slack } }),
      })
      const [content] = result.content
      const text = content?.type === 'text' ? content.text : ''
      return { text, isError: result.isError === true, data: result.structuredContent }
    },
    /** Sends the last request again, signed anew if something changes. @returns the response's status and text */
    sendsAgain: async (changes?: { body?: string; time?: number }) => {
      const last = sent.at(-1)
      const body = changes?.body ?? last?.body ?? ''
      const headers = { ...last?.headers, ...(changes && signed(body, changes)) }
      const response = await fetch(`${appUrl}/slack/mcp`, { method: 'POST', body, headers })
      return { status: response.status, text: await response.text() }
    },
  }
}
