/* This file imports no driver, because most installations need only one. */

export type DatabaseKind = 'sqlite' | 'postgres'

export function databaseKind(url: string): DatabaseKind | undefined {
  if (url.startsWith('file:')) return 'sqlite'
  if (!/^postgres(ql)?:\/\//.test(url)) return undefined
  // pg needs no host. Any other URL that can't be parsed would look like a server that doesn't answer.
  const isValid = postgresUrls(url).every((server) => URL.canParse(server.replace('@/', '@host/')))
  return isValid ? 'postgres' : undefined
}

export function sqlitePath(url: string): string {
  return url.slice('file:'.length)
}

/** A URL for each server: of `postgres://user@db1,db2:5433/backhalf`, one with `db1` and one with `db2:5433`. */
export function postgresUrls(url: string): readonly [string, ...string[]] {
  const [authority = ''] = /(?<=^\w+:\/\/)[^/?#]*/.exec(url) ?? []
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  const start = url.indexOf('://') + '://'.length + authority.length - hosts.length
  const [first = '', ...others] = hosts.split(',')
  const of = (host: string): string => url.slice(0, start) + host + url.slice(start + hosts.length)
  return [of(first), ...others.map(of)]
}

/** The servers and the database of a URL, without the user and the password. */
export function postgresName(url: string): string {
  const parsed = postgresUrls(url).map((server) => URL.parse(server))
  const hosts = parsed.map((server) => server?.host).filter(Boolean)
  return `${parsed[0]?.pathname.slice(1) || '(default)'} at ${hosts.join(', ') || 'the local socket'}`
}
