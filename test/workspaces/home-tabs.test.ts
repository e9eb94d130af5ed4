import { expect, test } from 'vitest'
import { createHomeTabs } from '../../src/workspaces/home-tabs.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'

describeOnEveryDatabase((opened) => {
  test('requests another drawing of a tab that was opened, and keeps its page', async () => {
    const homeTabs = createHomeTabs(opened)
    await homeTabs.request('T_ONE', 'U_ANA', 'page 2')
    expect(await homeTabs.requestAgain('T_ONE', 'U_ANA')).toBe(true)
    expect(await homeTabs.latest('T_ONE', 'U_ANA')).toEqual({ drawing: 2, page: 'page 2' })
  })

  test('knows while others write that a tab was never opened', async () => {
    const homeTabs = createHomeTabs(opened)
    const isOpened = opened.database.write(() => homeTabs.requestAgain('T_ONE', 'U_NEVER'))
    expect(await isOpened).toBe(false)
  })
})
