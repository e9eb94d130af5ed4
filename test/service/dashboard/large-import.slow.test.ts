import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { importFile, plainText } from '../../support/dashboard.ts'
import { describeService } from '../../support/fixtures.ts'

describeService((service, browser) => {
  test('carries a file of the largest size from step to step', async () => {
    const junk = () => randomBytes(33_000).toString('base64url')
    const rows = Array.from({ length: 220 }, (_, at) => `https://huge.test/${at},${junk()}`)
    const file = ['destination_url,junk', ...rows].join('\n')
    expect(file.length).toBeGreaterThan(9_500_000)
    const page = await importFile(browser, file, { owner: service.ownerId })
    expect(plainText(page)).toContain('220 links created, 0 already existed, 0 rows with errors.')
  })
})
