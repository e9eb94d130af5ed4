import { expect, test } from 'vitest'
import { LIST_PATH } from '../../../src/contract/endpoints.ts'
import { call, getList } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

test('logs every accepted request, but only the first requests without a key', async () => {
  const service = await startService()
  for (let time = 0; time < 20; time++) {
    expect((await call(service.baseUrl + LIST_PATH)).status).toBe(401)
    expect((await getList(service)).status).toBe(200)
  }
  await service.close()
  const statuses = service.logLines.map((line) => (JSON.parse(line) as { status?: number }).status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
})
