import { expect, test } from 'vitest'
import { readDeployment } from '../../src/doctor/deployment.ts'
import { checkSlack } from '../../src/doctor/slack-group.ts'

const check = async (env: Record<string, string>) =>
  checkSlack(readDeployment(env), Promise.resolve(undefined))

test('warns that a start in production would fail without Slack settings', async () => {
  const address = { PUBLIC_URL: 'https://go.example.com' }
  expect(await check({})).toMatchObject([{ name: 'Slack', status: 'skipped' }])
  expect(await check(address)).toMatchObject([
    { status: 'warning', message: expect.stringContaining('NODE_ENV=production') as string },
  ])
  const inProduction = readDeployment({ ...address, NODE_ENV: 'production' })
  expect(inProduction.issues).toEqual([expect.stringMatching(/^SLACK_BOT_TOKEN: is missing/)])
  expect(await checkSlack(inProduction, Promise.resolve(undefined))).toMatchObject([
    { name: 'Mode', status: 'skipped' },
  ])
})
