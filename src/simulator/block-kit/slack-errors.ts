import type { z } from 'zod'

type Path = readonly PropertyKey[]

/**
 * Words zod's issues as Slack does: `missing required field: text [json-pointer:/blocks/0]`.
 *
 * @param root the path of the checked value in the request, for example `['view']`
 */
export function slackErrors(issues: readonly z.core.$ZodIssue[], root: Path): string[] {
  return issues.flatMap((issue) => errorsOf(issue, root))
}

/** An error in the same form, for a rule that is not in a schema. */
export function slackError(message: string, path: Path): string {
  return `${message} [json-pointer:/${path.map(String).join('/')}]`
}

function errorsOf(issue: z.core.$ZodIssue, root: Path): string[] {
  const path = [...root, ...issue.path]
  const at = (message: string): string[] => [slackError(message, path)]
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && issue.path.length > 0
        ? [slackError(`missing required field: ${String(path.at(-1))}`, path.slice(0, -1))]
        : at(`must provide ${/^[aeio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`)
    case 'too_big':
      return at(
        issue.origin === 'string'
          ? `must be less than ${Number(issue.maximum) + 1} characters`
          : issue.origin === 'array'
            ? `no more than ${Number(issue.maximum)} items allowed`
            : `must not be greater than ${Number(issue.maximum)}`,
      )
    case 'too_small':
      return at(
        issue.origin === 'string'
          ? `must be more than ${Number(issue.minimum) - 1} characters`
          : issue.origin === 'array'
            ? `no fewer than ${Number(issue.minimum)} items allowed`
            : `must not be less than ${Number(issue.minimum)}`,
      )
    case 'unrecognized_keys':
      return issue.keys.flatMap((key) => at(`invalid additional property: ${key}`))
    case 'invalid_value':
      return at(`must be a valid enum value`)
    case 'invalid_format':
      return at(`failed to match the format: ${issue.format}`)
    case 'invalid_union': {
      if (issue.discriminator !== undefined) {
        const { [issue.discriminator]: type } = issue.input as Record<string, unknown>
        return type === undefined
          ? [slackError(`missing required field: ${issue.discriminator}`, path.slice(0, -1))]
          : at(`unsupported type: ${typeof type === 'string' ? type : typeof type}`)
      }
      const likeliest = issue.errors.toSorted((a, b) => a.length - b.length)[0] ?? []
      return slackErrors(likeliest, path)
    }
    case 'custom':
      return at(issue.message)
    default:
      return at('failed to match all allowed schemas')
  }
}
