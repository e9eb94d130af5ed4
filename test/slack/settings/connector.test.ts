import { expect, test } from 'vitest'
import { systemClock } from '../../../src/timing/clock.ts'
import { ApiError, NetworkError } from '../../../src/client/errors.ts'
import type { LinkClient } from '../../../src/client/link-client.ts'
import { createConnector } from '../../../src/slack/settings/connector.ts'
import type { Connection, ConnectionStatus } from '../../../src/workspaces/connection.ts'
import type { Workspaces } from '../../../src/workspaces/workspaces.ts'

const SERVICE_URL = 'https://links.example.com'
const workspace = { id: 'T1' }
const input = {
  apiKey: 'bh_secret_1234',
  domains: [{ name: 'dom_1', domain_name: 'go.example.com' }],
} as const

/** A service that knows these domain records. */
const knowing =
  (...names: string[]) =>
  async (name: string): Promise<string | undefined> =>
    names.includes(name) ? undefined : 'Unknown.'

/**
 * A connector, and what it did.
 *
 * @param status the workspace's current connection
 * @param listError the link service's answer to the attempt to list links; by default, it succeeds
 */
function setUp({
  status = { state: 'never_connected' },
  listError,
  tryDomain = knowing(),
  connectsAutomatically = false,
}: {
  status?: ConnectionStatus
  listError?: Error
  tryDomain?: (name: string) => Promise<string | undefined>
  connectsAutomatically?: boolean
} = {}) {
  const tried: { apiKey: string; query: unknown }[] = []
  const saved: Parameters<Workspaces['connect']>[] = []
  const workspaces: Partial<Workspaces> = {
    connectsAutomatically,
    status: async () => status,
    connect: async (...args) => void saved.push(args),
  }
  const connector = createConnector({
    clock: { ...systemClock, now: () => 5_000 },
    linkClient: (apiKey) =>
      ({
        list: async (query: unknown) => {
          tried.push({ apiKey, query })
          if (listError) throw listError
          return { links: [], skipped: 0, page: 1, perPage: 1, hasNext: false }
        },
        tryDomain,
      }) as unknown as LinkClient,
    workspaces: workspaces as Workspaces,
    serviceUrl: SERVICE_URL,
  })
  return { connector, tried, saved }
}

test('refuses domain records that the service does not know, at their field, and saves nothing', async () => {
  const { connector, saved } = setUp({ tryDomain: knowing('dom_2') })
  await expect(connector.connect(workspace, input, 'U1')).rejects.toMatchObject({
    issues: [
      {
        field: 'domains',
        message: 'The link service doesn’t accept the domain record “dom_1”: Unknown.',
      },
    ],
  })
  expect(saved).toEqual([])
})

test.each<[string, () => Promise<string | undefined>, boolean]>([
  ['does not complain about an unknown record', async () => undefined, true],
  ['can’t be reached', () => Promise.reject(new ApiError({ status: 500, message: 'Down.' })), true],
  [
    'does not allow the key to create links',
    () => Promise.reject(new ApiError({ status: 403, message: 'Read only.' })),
    false,
  ],
])(
  'does not claim to know the domain records if the service %s',
  async (_, tryDomain, mayCreate) => {
    const { connector, saved } = setUp({ tryDomain })
    expect(await connector.connect(workspace, input, 'U1')).toMatchObject({
      mayList: true,
      mayCreate,
      knowsDomains: false,
    })
    expect(saved).toHaveLength(1)
  },
)

test.each([
  new ApiError({ status: 500, message: 'Down.' }),
  new NetworkError('ECONNREFUSED', { reached: false }),
])('saves nothing if it can’t find out whether the key is valid: %s', async (listError) => {
  const { connector, saved } = setUp({ listError })
  await expect(connector.connect(workspace, input, 'U1')).rejects.toBe(listError)
  expect(saved).toEqual([])
})

const disconnected = { state: 'disconnected', by: 'U1', since: 1_000 } as const

test.each([true, false])(
  'says whether a disconnected workspace can be connected without a key: %s',
  async (connectsAutomatically) => {
    const { connector } = setUp({ status: disconnected, connectsAutomatically })
    expect(await connector.current(workspace)).toEqual({
      serviceUrl: SERVICE_URL,
      keepsKey: false,
      domains: [],
      needsNoKey: connectsAutomatically,
    })
  },
)

const connected = (source: Connection['source']): ConnectionStatus => ({
  state: 'connected',
  connection: { ...input, domains: [...input.domains], source },
})

test('keeps a key that an admin entered if the form has none', async () => {
  const { connector, tried, saved } = setUp({
    status: connected('connected'),
    tryDomain: knowing('dom_1'),
  })
  await connector.connect(workspace, { ...input, apiKey: undefined }, 'U1')
  expect(tried).toMatchObject([{ apiKey: input.apiKey }])
  expect(saved).toMatchObject([['T1', { apiKey: input.apiKey, domains: input.domains }, 'U1']])
})

test.each<[string, ConnectionStatus]>([
  ['Backhalf created the current one', connected('provisioned')],
  ['the deployment sets it', connected('configured')],
  ['the workspace is not connected', disconnected],
])('asks for a key if %s', async (_case, status) => {
  const { connector, saved } = setUp({ status })
  expect(await connector.current(workspace)).toMatchObject({ keepsKey: false })
  const withoutKey = connector.connect(workspace, { ...input, apiKey: undefined }, 'U1')
  await expect(withoutKey).rejects.toMatchObject({
    issues: [{ field: 'api_key', message: 'Enter an API key.' }],
  })
  expect(saved).toEqual([])
})

test('says that the current domains don’t fit in the form', async () => {
  const domains = Array.from({ length: 100 }, (_, index) => ({
    name: `dom_${index}`,
    domain_name: `${index}.${'h'.repeat(60)}.example`,
  }))
  const connection = { ...input, domains, source: 'connected' as const }
  const { connector } = setUp({ status: { state: 'connected', connection } })
  const { notice } = await connector.current(workspace)
  expect(notice).toEqual([expect.stringContaining('more domains than fit in this form')])
})
