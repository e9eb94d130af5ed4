/** The id of the file that a `slack_file` names, by its id or in its address. */
export function slackFileId({ id, url }: { id?: unknown; url?: unknown }): string | undefined {
  if (typeof id === 'string') return id
  return typeof url === 'string' ? /\b(F[A-Z0-9]{8,})\b/.exec(url)?.[1] : undefined
}
