import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type RunningService } from '../support/service.ts'
import { postForm } from '../support/service-calls.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('a destination and a domain are enough', async () => {
  const answer = await postForm(service, {
    destination_url: 'https://example.com/some/long/page',
    domain: service.domain.name,
  })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    data: {
      status: 'success',
      message: 'Shortlink created.',
      shortlink: {
        name: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        destination_url: 'https://example.com/some/long/page',
        shortlink_url: expect.stringMatching(
          new RegExp(`^${service.baseUrl}/[0-9A-Za-z]{7,}$`),
        ) as string,
        is_custom_preview: false,
        qr_code_enabled: false,
      },
    },
  })
})
