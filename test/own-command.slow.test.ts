import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { DEFAULT_COMMAND, setCommand } from '../src/config/command.ts'
import { runDoctor } from '../src/doctor/run-doctor.ts'
import { readManifest } from '../src/slack/install/manifest.ts'
import { startApp } from './support/app.ts'
import { parseSource, readSource, sourceFiles, SRC } from './support/architecture.ts'
import { browserTest } from './support/browser.ts'
import { withStarted } from './support/fixtures.ts'
import { startPlayground, write } from './support/playground.ts'

const OWN = '/go-links'

// Other files run in the same process.
afterAll(() => setCommand(DEFAULT_COMMAND))

const {
  test: appTest,
  app,
  ana,
} = withStarted(() => {
  setCommand(OWN)
  const manifest = readManifest()
  setCommand(DEFAULT_COMMAND) // The app sets it itself.
  return startApp({ config: { command: OWN }, slack: { manifest } })
})

appTest('responds only to its own command, which its pages and the dashboard show', async () => {
  await ana.asks(`${OWN} help`, { for: `How to use ${OWN}` })
  await expect(ana.types('/shorten help', { in: 'general' })).rejects.toThrow(
    '/shorten is not a valid command.',
  )
  const { appUrl, serviceUrl } = app.running
  for (const url of [`${appUrl}/`, `${serviceUrl}/dashboard/sign-in`]) {
    expect(await (await fetch(url)).text()).toContain(`<code>${OWN}`)
  }
})

appTest('has its own command in what the doctor reports', async () => {
  await ana.asks(`${OWN} https://example.com/`, { for: 'example.com' })
  setCommand(DEFAULT_COMMAND) // The doctor has a process of its own.
  let printed = ''
  const print = (text: string): void => void (printed += text)
  const env = {
    SLACK_COMMAND: OWN,
    DATABASE_URL: app.databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  }
  const dotenv = { path: '/no/such/.env', names: [] }
  expect(await runDoctor([], { env, dotenv, colors: false, out: print, err: print })).toBe(1)
  expect(printed).toContain(`${OWN} connect`)
  expect(printed).not.toContain(DEFAULT_COMMAND)
})

browserTest('the playground suggests and completes its own command', async ({ page }) => {
  const program = await startPlayground({ command: OWN })
  try {
    await page.goto(program.url)
    await page.getByRole('button', { name: `${OWN} https://example.com/some/long/page` }).waitFor()
    const composer = page.getByLabel(/^Message #/)
    await composer.fill('/go')
    expect(await page.locator('.usage').innerText()).toContain(OWN)
    await composer.press('Tab')
    expect(await composer.inputValue()).toBe(`${OWN} `)
    await write(page, `${OWN} help`)
    await page.getByText('opens a form with everything').waitFor()
    expect(await page.locator('body').innerText()).not.toContain(DEFAULT_COMMAND)
    await write(page, '/shorten help')
    await page.getByText('/shorten is not a valid command.').waitFor()
  } finally {
    await program.stop()
  }
})

test('no text in src names the default command', () => {
  const named = sourcesWith(DEFAULT_COMMAND).flatMap((file) =>
    literals(parseSource(file)).filter((text) => /\/shorten(?![\w/-])/.test(text)),
  )
  expect(named).toEqual([DEFAULT_COMMAND])
  const importers = sourcesWith('DEFAULT_COMMAND').filter((file) => !file.startsWith('setup/'))
  expect(importers).toEqual(['config/command.ts', 'config/config.ts'])
  const others = globSync('**/*.{css,html,json,cjs,svg}', { cwd: SRC })
  expect(others.length).toBeGreaterThan(0)
  for (const file of others) expect(readSource(file)).not.toContain(DEFAULT_COMMAND)
})

/** Loads modules, and prints the files that meanwhile turn COMMAND into text. */
const LOAD = `
import { registerHooks } from 'node:module'
globalThis.readers = new Set()
const source = \`
  export const DEFAULT_COMMAND = '/shorten'
  export const setCommand = () => {}
  export const COMMAND = {
    toString() {
      const [, file] = /src\\\\/([^:]+)/.exec(new Error().stack.split('\\\\n')[2]) ?? []
      globalThis.readers.add(file)
      return DEFAULT_COMMAND
    },
  }\`
registerHooks({
  load: (url, context, next) =>
    url.endsWith('/config/command.ts')
      ? { format: 'module', shortCircuit: true, source }
      : next(url, context),
})
for (const file of process.argv.slice(1)) await import(file)
process.stdout.write(JSON.stringify([...globalThis.readers]))
`

test('every text is built when it is shown, because the command is set after the modules are loaded', () => {
  const runs = /^(?:main\.ts|.*thread\.ts|playground\/page\/.*)$/
  const loaded = sourceFiles().filter((file) => !runs.test(file))
  const args = ['--input-type=module', '-e', LOAD, ...loaded.map((file) => `${SRC}/${file}`)]
  const readers = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[]
  // It builds the topics for their IDs.
  expect(readers).toEqual(['slack/shorten/help.ts'])
})

/** Parsing all files of src would take seconds. */
function sourcesWith(text: string): string[] {
  return sourceFiles().filter((file) => readSource(file).includes(text))
}

/** The texts of string literals and templates, except in imports. The syntax tree contains no comments. */
function literals(source: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.push(node.text)
    } else if (node.kind === ts.SyntaxKind.TemplateHead) {
      found.push((node as ts.TemplateHead).text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
