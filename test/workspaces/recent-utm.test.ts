import { expect, test } from 'vitest'
import { createRecentUtm } from '../../src/workspaces/recent-utm.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

describeOnEveryDatabase((opened) => {
  test('stores the latest values of each user in each workspace', async () => {
    const recent = createRecentUtm(opened)
    expect(await recent.read('T_ONE', 'U_ANA')).toBeUndefined()
    await recent.save('T_ONE', 'U_ANA', { utm_source: 'newsletter', utm_medium: 'email' })
    await recent.save('T_ONE', 'U_ANA', { utm_source: 'poster' })
    await recent.save('T_ONE', 'U_BEN', { utm_source: 'of ben' })
    await recent.save('T_OTHER', 'U_ANA', { utm_source: 'elsewhere' })
    expect(await recent.read('T_ONE', 'U_ANA')).toEqual({ utm_source: 'poster' })
  })
})
