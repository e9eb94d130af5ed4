import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/timing/clock.ts'
import { startApp, startProcesses } from '../../support/app.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { texts } from '../../support/texts.ts'

const DAY_MS = 86_400_000
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }

describeOnDatabase((opened) => {
  test('after an admin sets up weekly reports, only one of four processes posts each report', async () => {
    const config = { databaseUrl: opened.url, encryptionKeys: [randomBytes(32)] }
    const app = await startApp({ config })
    const { ana, ben, refusals } = app.slack

    await ana.asks('/shorten https://example.com/a best qr=off', { for: '/best|' })
    await ana.asks('/shorten https://example.com/b ends expires=5d qr=off', { for: '/ends|' })
    for (const backHalf of ['best', 'best', 'ends']) {
      const url = `${app.running.serviceUrl}/${backHalf}`
      expect((await fetch(url, { redirect: 'manual', headers: BROWSER })).status).toBe(302)
    }
    const counted = () => opened.database.db.selectFrom('clicks').select('people').execute()
    await expect
      .poll(async () => (await counted()).reduce((sum, { people }) => sum + people, 0))
      .toBe(3)

    // The app learns in the background that its service offers reports.
    for (let offered = false; !offered;) {
      if (ana.modal()) await ana.closes()
      await ana.opens('/shorten settings', '*Permissions*')
      offered = texts(ana.modal()).includes('*Weekly report*')
    }
    await ana.presses('edit_weekly_report')
    await ana.seesModal('In your time zone, UTC.')
    const inThreeDays = new Date(Date.now() + 3 * DAY_MS)
    const day = String(inThreeDays.getUTCDay() || 7)
    ana.fills({ Channel: 'general', Day: day, Hour: '9' })
    await ana.submits()
    await ben.gets('set up weekly reports here.')

    const due = Date.parse(`${inThreeDays.toISOString().slice(0, 10)}T09:00Z`)
    const laterClock = { ...systemClock, now: () => due + 60_000 }
    const stop = await startProcesses(4, app, config, laterClock)
    await ben.gets('Stop these reports')
    await stop()
    const reports = ben.sees('general').filter((one) => texts(one).includes('Stop these reports'))
    expect(reports).toHaveLength(1)
    const shown = texts(reports[0])
    expect(shown).toContain('*3 clicks*')
    expect(shown).toMatch(/1\. <[^>]+\/best\|.*2 clicks.*2\. <[^>]+\/ends\|.*1 click/)
    expect(shown).toMatch(/Links that expire within the next week\*\\n• <[^>]+\/ends\|/)

    await ben.presses('Stop these reports', { in: 'general' })
    await ben.gets('Only admins and owners of this workspace can do this.')
    await ana.closesAll()
    await ana.presses('Stop these reports', { in: 'general' })
    await ana.gets('No more weekly reports.')
    const rows = await opened.database.db.selectFrom('workspace_settings').selectAll().execute()
    expect(rows).toMatchObject([{ report_at: null }])
    expect(refusals()).toEqual([])
    await app.stop()
  })
})
