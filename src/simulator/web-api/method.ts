import { z } from 'zod'
import { slackErrors } from '../block-kit/check.ts'
import type { Parts } from '../parts.ts'
import type { Conversation } from '../protocol.ts'
import { SlackRefusal } from '../workspace/refusals.ts'

type MethodResult = Record<string, unknown>

export interface Method {
  scope: string | undefined
  run(parts: Parts, args: Record<string, unknown>): MethodResult
}

/** Defines a method of the Web API: the scope that it needs, the schema of its arguments, and what it does. */
export function method<S extends z.ZodType>(
  scope: string | undefined,
  schema: S,
  run: (parts: Parts, args: z.output<S>) => MethodResult,
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

/** Reads an object argument, which is JSON text in a form, and plain JSON in a JSON body. */
export function json<S extends z.ZodType>(schema: S) {
  return z.preprocess((given): unknown => {
    if (typeof given !== 'string') return given
    try {
      return JSON.parse(given)
    } catch {
      return given
    }
  }, schema)
}

export function ownChannel({ conversations }: Parts, id: string): Conversation {
  const channel = conversations.get(id)
  if (!channel) throw new SlackRefusal('channel_not_found')
  if (!channel.appIsMember) throw new SlackRefusal('not_in_channel')
  return channel
}
