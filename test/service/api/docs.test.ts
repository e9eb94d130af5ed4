import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { withService } from '../../support/fixtures.ts'
import { call } from '../../support/service-calls.ts'

const { test, service } = withService()

const run = promisify(execFile)
const curlIsMissing = await run('curl', ['--version']).then(
  () => false,
  () => true,
)

/** The commands on the page by the operation that they are for. */
async function commandsOf(baseUrl: string): Promise<Map<string, string>> {
  const { text } = await call(`${baseUrl}/docs`)
  const found = text.matchAll(/<section id="(\w+)">[^]*?<h3>Example<\/h3><pre[^>]*><code>([^<]+)/g)
  return new Map(
    [...found].map(([, id = '', command = '']) => [
      id,
      command.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
    ]),
  )
}

test('has a command for every operation of the OpenAPI document', async () => {
  const { body } = await call(`${service.baseUrl}/api/v1/openapi.json`)
  const { paths } = body as { paths: Record<string, Record<string, { operationId: string }>> }
  const operations = Object.values(paths).flatMap(({ servers: _, ...item }) => Object.values(item))
  const commands = await commandsOf(service.baseUrl)
  expect([...commands.keys()]).toEqual(operations.map(({ operationId }) => operationId))
})

test.skipIf(curlIsMissing)('every command works in a shell', async () => {
  const commands = await commandsOf(service.baseUrl)
  const tried: string[] = []
  let name = ''
  const send = async (id: string): Promise<unknown> => {
    tried.push(id)
    const person = { ID: 'U0ANA', X_CREATED_BY: 'U0ANA Ana' }
    const env = { ...process.env, API_KEY: service.apiKey, NAME: name, ...person }
    const { stdout } = await run('sh', ['-c', `${commands.get(id) ?? ''} --silent`], { env })
    return (JSON.parse(stdout) as { data: unknown }).data
  }
  const { url } = (await send('createSignIn')) as { url: string }
  expect(url).toMatch(/\/dashboard\/sign-in\/m\.[\w-]{43}$/)
  expect(await send('endSessions')).toMatchObject({ message: 'The sessions have ended.' })
  const created = (await send('createShortlink')) as {
    shortlink: { name: string; shortlink_url: string }
  }
  name = created.shortlink.name
  expect(await send('getShortlinks')).toMatchObject({ shortlinks: [{ name }] })
  expect(await send('getShortlink')).toMatchObject({ shortlink: { name, enabled: true } })
  expect(await send('updateShortlink')).toMatchObject({ message: 'Shortlink updated.' })
  const draw = `${commands.get('getQrPicture') ?? ''} --silent --output -`
  const { stdout: png } = await run('sh', ['-c', draw.replace('--remote-name', '')], {
    env: { ...process.env, BACK_HALF: created.shortlink.shortlink_url.split('/').at(-1) },
  })
  tried.push('getQrPicture')
  expect(png).toContain('PNG')
  expect(await send('getShortlinkClicks')).toMatchObject({ clicks: { total_people: 0 } })
  expect(await send('erasePerson')).toMatchObject({ message: 'The person was erased.' })
  expect(await send('getDomains')).toMatchObject({ domains: [{ name: 'default' }] })
  expect(await send('getReport')).toMatchObject({ report: { total_people: 0 } })
  expect(await send('getTags')).toMatchObject({ tags: [{ links: 1 }, { links: 1 }] })
  expect(await send('deleteShortlink')).toMatchObject({ message: 'Shortlink deleted.' })
  expect(await send('getShortlinks')).toMatchObject({ shortlinks: [] })
  expect(tried.toSorted()).toEqual([...commands.keys(), 'getShortlinks'].toSorted())
})
