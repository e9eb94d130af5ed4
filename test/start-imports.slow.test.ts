import { expect, test } from 'vitest'
import { importsOf } from './support/architecture.ts'

/** The packages, by name, and the folders of src that are loaded with a file, before any of its code runs. */
function loadedWith(file: string): string[] {
  const files = new Set<string>()
  const loaded = new Set<string>()
  const visit = (at: string): void => {
    if (files.has(at)) return
    files.add(at)
    if (at.includes('/')) loaded.add(`src/${at.split('/')[0] ?? ''}`)
    for (const { specifier, target, typeOnly, lazy } of importsOf(at)) {
      if (typeOnly || lazy) continue
      if (target !== undefined) visit(target)
      else loaded.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
    }
  }
  visit(file)
  return [...loaded]
}

test('the link service starts without what only the app needs', () => {
  const loaded = loadedWith('service/start-service.ts')
  expect(loaded).toEqual(expect.arrayContaining(['fastify', 'kysely', 'src/database']))
  const unneeded = ['@resvg/resvg-js', '@slack/bolt', '@slack/oauth', '@slack/web-api', 'undici']
  unneeded.push('@inquirer/prompts', 'pg', 'piscina', 'prom-client', 'zod-openapi')
  unneeded.push('crawler-user-agents', 'csv-parse', 'd3-scale', 'pino-pretty')
  unneeded.push('src/slack', 'src/client', 'src/drivers', 'src/playground', 'src/simulator')
  expect(loaded.filter((name) => unneeded.includes(name))).toEqual([])
})

test('the app starts without the playground and without a link service of its own', () => {
  const loaded = loadedWith('start.ts')
  expect(loaded).toEqual(expect.arrayContaining(['@slack/bolt', 'src/slack']))
  const unneeded = ['@resvg/resvg-js', '@inquirer/prompts', 'pg', 'prom-client', 'zod-openapi']
  unneeded.push('@modelcontextprotocol/server')
  unneeded.push('piscina', 'src/playground', 'src/simulator', 'src/service')
  expect(loaded.filter((name) => unneeded.includes(name))).toEqual([])
})

test('a command loads nothing that only other commands need', () => {
  const loaded = loadedWith('main.ts')
  expect(loaded).toEqual(expect.arrayContaining(['dotenv', 'zod', 'src/config']))
  const unneeded = ['fastify', 'pg', 'undici', 'prom-client', 'qrcode', '@inquirer/prompts']
  unneeded.push('src/slack', 'src/client', 'src/drivers', 'src/service', 'src/doctor', 'src/setup')
  expect(loaded.filter((name) => unneeded.includes(name))).toEqual([])
})

test.each([
  '../docs/make-pictures.ts',
  '../docs/measure-structure.ts',
  '../bench/main.ts',
  '../bench/reliability/main.ts',
])('%s uses what tests share, but runs without Vitest', (script) => {
  expect(loadedWith(script)).not.toContain('vitest')
})
