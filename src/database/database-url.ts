/* This file imports no driver, because most installations need only one. */

export type DatabaseKind = 'sqlite' | 'postgres'

export function databaseKind(url: string): DatabaseKind | undefined {
  if (url.startsWith('file:')) return 'sqlite'
  if (!/^postgres(ql)?:\/\//.test(url)) return undefined
  // A URL without a host is valid for pg, but not for URL. Other invalid URLs are refused here, because pg's error
  // would be that the server doesn't answer.
  const isValid = postgresUrls(url).every((server) => URL.canParse(server.replace('@/', '@host/')))
  return isValid ? 'postgres' : undefined
}

export function sqlitePath(url: string): string {
  return url.slice('file:'.length)
}

/** Returns a URL for each server: `postgres://me@db1,db2/a` → `postgres://me@db1/a` and `postgres://me@db2/a`. */
export function postgresUrls(url: string): readonly [string, ...string[]] {
  const [authority = ''] = /(?<=^\w+:\/\/)[^/?#]*/.exec(url) ?? []
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  const start = url.indexOf('://') + '://'.length + authority.length - hosts.length
  const [first = '', ...others] = hosts.split(',')
  const withHost = (host: string): string =>
    url.slice(0, start) + host + url.slice(start + hosts.length)
  return [withHost(first), ...others.map(withHost)]
}

/** Describes a database without the user and the password: `backhalf at db1, db2:5433`. */
export function postgresName(url: string): string {
  const parsed = postgresUrls(url).map((server) => URL.parse(server))
  const hosts = parsed.map((server) => server?.host).filter(Boolean)
  return `${parsed[0]?.pathname.slice(1) || '(default)'} at ${hosts.join(', ') || 'the local socket'}`
}
