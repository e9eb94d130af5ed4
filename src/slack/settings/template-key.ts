import { createHash } from 'node:crypto'

/**
 * What a template is called in ids that Slack sends back. Its name would not do: `&` comes back as
 * `&amp;`, and emoji may come back as words.
 */
export function templateKey(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}
