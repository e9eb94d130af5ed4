/*
 * The hostnames to which links may lead, with their subdomains. A workspace has such a list, and an API key of our link
 * service can have one.
 */

/** Removes the dot that may end a hostname. */
const normalized = (hostname: string): string => hostname.replace(/\.$/, '')

/** Whether the list allows a destination. @param hosts as `readHost` returns them; empty: any destination is allowed */
export function isAllowedHost(destination: string, hosts: readonly string[]): boolean {
  const hostname = normalized(URL.parse(destination)?.hostname ?? '')
  return hosts.length === 0 || hosts.some((host) => `.${hostname}`.endsWith(`.${host}`))
}

/** Reads a hostname as people type it: `Example.com`, `*.example.com` or `https://example.com/`. Undefined if invalid. */
export function readHost(typed: string): string | undefined {
  const text = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^\*?\./, '')
  const url = URL.parse(`https://${text}`)
  const { username, port, hostname = '' } = url ?? {}
  const isHost = /^[\w.:[\]-]+$/.test(hostname) && /[.:]|^localhost$/.test(hostname)
  return isHost && !username && !port ? normalized(hostname) : undefined
}

/** Reads a list with one hostname per line. Blank lines are ignored. @returns the lines that are invalid, with their numbers from 1 */
export function readHosts(text: string): {
  hosts: string[]
  invalid: { number: number; line: string }[]
} {
  const hosts = new Set<string>()
  const invalid: { number: number; line: string }[] = []
  for (const [at, typed] of text.split('\n').entries()) {
    const line = typed.trim()
    if (line === '') continue
    const host = readHost(line)
    if (host === undefined) invalid.push({ number: at + 1, line })
    else hosts.add(host)
  }
  return { hosts: [...hosts], invalid }
}

/** As people read it: `example.com, example.org and 3 others`. */
export function hostNames(hosts: readonly string[]): string {
  const shown = hosts.slice(0, 3)
  const others = hosts.length - shown.length
  if (others > 0) return `${shown.join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`
  return shown.join(', ').replace(/, ([^,]+)$/, ' and $1')
}
