import { z } from 'zod'
import type { Parts } from '../../playground/parts.ts'

/** What a method answers, besides `ok: true`. */
export type MethodResult = Record<string, unknown>

/** A refusal in Slack's words: `{ok: false, error, …}`. */
export class SlackRefusal extends Error {
  readonly code: string
  /** Lines such as `[ERROR] … [json-pointer:/blocks/0]`. */
  readonly messages: readonly string[]

  constructor(code: string, messages: readonly string[] = []) {
    super(code)
    this.name = 'SlackRefusal'
    this.code = code
    this.messages = messages
  }
}

/** A method of Slack's Web API. */
export interface Method {
  /** The bot scope that it needs, or any one of several, by what it is asked. */
  scope?: string | ((args: Record<string, unknown>) => string)
  /** @throws SlackRefusal */
  run(parts: Parts, args: Record<string, unknown>): MethodResult
}

/** A method whose arguments have been checked. */
export function method<S extends z.ZodType>(
  schema: S,
  run: (parts: Parts, args: z.output<S>) => MethodResult,
  scope?: Method['scope'],
): Method {
  return {
    ...(scope !== undefined && { scope }),
    run(parts, args) {
      const parsed = schema.safeParse(args)
      if (!parsed.success) {
        const messages = parsed.error.issues.map(
          ({ path, message }) => `[ERROR] ${message} [json-pointer:/${path.map(String).join('/')}]`,
        )
        throw new SlackRefusal('invalid_arguments', messages)
      }
      return run(parts, parsed.data)
    },
  }
}

/** An argument that a form carries as JSON text, and a JSON body as itself. */
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

/** The value of a verdict. @throws SlackRefusal */
export function accepted<T>(
  verdict: { ok: true; value: T } | { ok: false; error: string; messages: string[] },
): T {
  if (!verdict.ok) throw new SlackRefusal(verdict.error, verdict.messages)
  return verdict.value
}
