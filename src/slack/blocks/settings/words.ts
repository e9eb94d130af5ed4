import type { NamingRules } from '../../../workspaces/settings.ts'
import { count } from '../count.ts'

/** The rules as a part of a sentence; empty where there are none. */
export function namingInWords({ lowerCase, spaces, sources, mediums }: NamingRules): string {
  return [
    ...(lowerCase ? ['everything in lower case'] : []),
    ...(spaces === null ? [] : [`\`${spaces}\` for spaces`]),
    ...(sources.length > 0 ? [count(sources.length, 'allowed source')] : []),
    ...(mediums.length > 0 ? [count(mediums.length, 'allowed medium')] : []),
  ].join(', ')
}
