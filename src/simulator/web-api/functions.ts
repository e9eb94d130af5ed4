import { z } from 'zod'
import { slackErrors } from '../block-kit/check.ts'
import type { FunctionParameters } from '../manifest.ts'
import type { Parts, StoredRun } from '../parts.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import { json, method } from './method.ts'

const MAX_TEXT_BYTES = 4000

const text = z
  .string()
  .refine((value) => Buffer.byteLength(value) <= MAX_TEXT_BYTES, 'must be at most 4000 bytes')

const runArgs = z.object({ function_execution_id: z.string() })
const successArgs = runArgs.extend({ outputs: json(z.record(z.string(), z.unknown())) })
const errorArgs = runArgs.extend({ error: z.string().min(1) })

/** The methods that end a run of the app's workflow step. They need no scope, and the run's own token can call them. */
export const functionMethods = {
  'functions.completeSuccess': method(undefined, successArgs, (parts, { outputs, ...args }) => {
    const run = findRunning(parts, args)
    const step = parts.manifest.functions[run.callbackId]
    const { error } = step ? outputsSchema(step.output_parameters).safeParse(outputs) : {}
    if (error) {
      throw new SlackRefusal('parameter_validation_failed', slackErrors(error.issues, ['outputs']))
    }
    return endRun(parts, run, { ok: true, outputs })
  }),

  'functions.completeError': method(undefined, errorArgs, (parts, { error, ...args }) =>
    endRun(parts, findRunning(parts, args), { ok: false, error }),
  ),
}

function findRunning({ stepRuns }: Parts, args: z.output<typeof runArgs>): StoredRun {
  const run = stepRuns.peek(args.function_execution_id)
  if (!run) throw new SlackRefusal('function_execution_not_found')
  if (run.outcome) throw new SlackRefusal('execution_not_in_running_state')
  return run
}

function endRun({ grants }: Parts, run: StoredRun, outcome: StoredRun['outcome']) {
  const token = grants.tokens.get(run.token)
  if (token) token.error = 'token_revoked'
  Object.assign(run, { outcome })
  return {}
}

function outputsSchema({ properties, required }: FunctionParameters) {
  const fields = Object.keys(properties).map((name) => {
    return [name, required.includes(name) ? text : text.optional()] as const
  })
  return z.strictObject(Object.fromEntries(fields))
}
