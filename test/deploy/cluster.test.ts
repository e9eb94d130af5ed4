import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { readVariables, unknownVariables } from '../../src/config/variables.ts'
import { withDirectory } from '../support/fixtures.ts'

const { test, at } = withDirectory()

/* What the files of deploy/cluster must agree on. `npm run reliability -- cluster` runs two of them. */

const FOLDER = join(import.meta.dirname, '../../deploy/cluster')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

interface Compose {
  services: Record<string, { environment?: Record<string, string>; restart: string }>
}
const { services } = parse(read('compose.yaml'), { merge: true }) as Compose
const haproxy = read('haproxy.cfg')

test('HAProxy knows every database, service and app', () => {
  const behind = [...haproxy.matchAll(/^ {2}server (\w+) (\w+):\d+$/gm)].map(([, name, host]) => {
    expect(host).toBe(name)
    return name
  })
  expect(behind).toEqual(['db1', 'db2', 'db3', 'service1', 'service2', 'app1', 'app2'])
  expect(Object.keys(services)).toEqual(expect.arrayContaining(behind))
})

test.each(['service1', 'app2'])('%s has only settings that exist, with valid values', (name) => {
  const environment = services[name]?.environment ?? {}
  expect(unknownVariables(Object.keys(environment))).toEqual([])
  const values = Object.entries(environment).map(([key, value]) => {
    const example = key.endsWith('PUBLIC_URL') ? 'https://go.example.com' : 'c2VjcmV0'
    return [key, value.replace(/\$\{[^}]*:-\}/g, '').replace(/\$\{[^}]*\}/g, example)]
  })
  const issues: string[] = []
  readVariables(Object.fromEntries(values) as Record<string, string>, issues)
  expect(issues).toEqual([])
})

test('Patroni gives up the lease before another server takes it, and loses no acknowledged commit', () => {
  const { bootstrap } = parse(read('patroni.yml')) as {
    bootstrap: { dcs: Record<string, number | boolean>; initdb: unknown[] }
  }
  const { ttl, loop_wait: wait, retry_timeout: retry } = bootstrap.dcs
  expect(Number(ttl)).toBeGreaterThanOrEqual(Number(wait) + 2 * Number(retry))
  expect(bootstrap.dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true })
  expect(bootstrap.initdb).toContain('data-checksums')
  // Without Patroni, PostgreSQL would go on as the primary.
  for (const name of ['db1', 'db2', 'db3']) expect(services[name]?.restart).toBe('always')
})

const isMissing = (program: string) => !existsSync(program) && process.env.CI !== 'true'

test.skipIf(isMissing('/usr/sbin/haproxy'))('HAProxy accepts haproxy.cfg', async () => {
  const path = at('haproxy.cfg')
  // The names exist only in Compose's network.
  await writeFile(path, haproxy.replace(/^( {2}server \w+) \w+:/gm, '$1 127.0.0.1:'))
  await promisify(execFile)('/usr/sbin/haproxy', ['-c', '-f', path])
})

test.skipIf(isMissing('/usr/bin/patroni'))('Patroni accepts patroni.yml', async () => {
  const env = {
    PATH: process.env.PATH,
    PATRONI_NAME: 'db1',
    PATRONI_ETCD3_HOSTS: '127.0.0.1:2379',
    PATRONI_RESTAPI_CONNECT_ADDRESS: '192.0.2.1:8008',
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: '192.0.2.1:5432',
    PATRONI_SUPERUSER_USERNAME: 'name',
    PATRONI_SUPERUSER_PASSWORD: 'secret',
    PATRONI_REPLICATION_USERNAME: 'name',
    PATRONI_REPLICATION_PASSWORD: 'secret',
  }
  const args = ['--validate-config', join(FOLDER, 'patroni.yml')]
  const validated = promisify(execFile)('/usr/bin/patroni', args, { env })
  const { stderr } = await validated.catch((error: unknown) => error as { stderr: string })
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  // Patroni 3.0 calls optional settings “not defined”, and no etcd is running.
  expect(lines.filter((line) => !/is not defined|is not reachable/.test(line))).toEqual([])
})
