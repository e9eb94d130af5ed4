import { z } from 'zod'
import { slackErrors } from '../block-kit/check.ts'
import type { Parts } from '../parts.ts'
import type { Conversation, SlackJson } from '../protocol.ts'
import { SlackRefusal } from '../workspace/refusals.ts'

export interface Method {
  scope: string | undefined
  run(parts: Parts, args: SlackJson): SlackJson
}

export function method<S extends z.ZodType>(
  scope: string | undefined,
  schema: S,
  run: (parts: Parts, args: z.output<S>) => SlackJson,
): Method {
  return {
    scope,
    run(parts, args) {
      const { success, data, error } = schema.safeParse(args)
      if (success) return run(parts, data)
      throw new SlackRefusal('invalid_arguments', slackErrors(error.issues, []))
    },
  }
}

/** Accepts an argument both as a value, from a JSON body, and as a string of JSON, from a form. */
export function json<S extends z.ZodType>(schema: S) {
  return z.preprocess((value): unknown => {
    if (typeof value !== 'string') return value
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }, schema)
}

export function ownChannel({ conversations }: Parts, id: string): Conversation {
  const channel = conversations.get(id)
  if (!channel) throw new SlackRefusal('channel_not_found')
  if (!channel.appIsMember) throw new SlackRefusal('not_in_channel')
  return channel
}
