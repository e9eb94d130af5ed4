import { createHash } from 'node:crypto'

/**
 * What a template is called in ids that Slack sends back. Its name might not do: in texts,
 * `&` comes back as `&amp;`, and nothing says that it doesn't in ids.
 */
export function templateKey(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}
