const withoutTrailingDot = (hostname: string): string => hostname.replace(/\.$/, '')

/** Tells whether a link can have this destination: a listed host or its subdomain. An empty list allows every host. */
export function isAllowedHost(destination: string, hosts: readonly string[]): boolean {
  const hostname = withoutTrailingDot(URL.parse(destination)?.hostname ?? '')
  return hosts.length === 0 || hosts.some((host) => `.${hostname}`.endsWith(`.${host}`))
}

/** Reads a hostname, without a port, as people type it: `Example.com`, `*.example.com` or `https://example.com/`. */
export function readHost(input: string): string | undefined {
  const text = input
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^\*?\./, '')
  const url = URL.parse(`https://${text}`)
  const { username, port, hostname = '' } = url ?? {}
  const isHost = /^[\w.:[\]-]+$/.test(hostname) && /[.:]|^localhost$/.test(hostname)
  return isHost && !username && !port ? withoutTrailingDot(hostname) : undefined
}

export function readHosts(text: string) {
  const hosts = new Set<string>()
  const invalid: { number: number; line: string }[] = []
  for (const [index, untrimmed] of text.split('\n').entries()) {
    const line = untrimmed.trim()
    if (line === '') continue
    const host = readHost(line)
    if (host === undefined) invalid.push({ number: index + 1, line })
    else hosts.add(host)
  }
  return { hosts: [...hosts], invalid }
}

/** Names up to three hosts: `example.com, example.org, example.net and 3 others`. */
export function hostNames(hosts: readonly string[]): string {
  const shown = hosts.slice(0, 3)
  const others = hosts.length - shown.length
  const rest = others > 0 ? [`${others} ${others === 1 ? 'other' : 'others'}`] : []
  return new Intl.ListFormat('en-GB').format([...shown, ...rest])
}
