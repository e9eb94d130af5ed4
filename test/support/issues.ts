import { SlackInputError, type FieldError } from '../../src/slack/platform/field-errors.ts'

/** The issues that a function reports about the user's input; none if it returns. */
export function issuesOf(act: () => unknown): readonly FieldError[] {
  try {
    act()
  } catch (error) {
    if (error instanceof SlackInputError) return error.issues
    throw error
  }
  return []
}
