import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemClock, type Clock } from '../../../src/timing/clock.ts'
import { startApp, startProcesses } from '../../support/app.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { changeLink } from '../../support/links.ts'
import { texts } from '../../support/texts.ts'

const DAY_MS = 86_400_000

const laterClock: Clock = { ...systemClock, now: () => Date.now() + 27.5 * DAY_MS }

describeOnDatabase((opened) => {
  test('only one of several processes reminds the creator, who can keep the link', async () => {
    const config = { databaseUrl: opened.url, encryptionKeys: [randomBytes(32)] }
    const app = await startApp({ config })
    const { ana, until, refusals } = app.slack

    // The app learns in the background that its service offers expiry.
    for (let offered = false; !offered;) {
      await ana.opens('/shorten', 'destination_url')
      offered = texts(ana.modal()).includes('expires_at')
      await ana.closes()
    }
    for (const backHalf of ['kept', 'kept-before']) {
      await ana.asks(`/shorten https://example.com/${backHalf} ${backHalf} expires=30d qr=off`, {
        for: `/${backHalf}|`,
      })
    }

    const stop = await startProcesses(3, app, config, laterClock)
    await until(() => ana.sees('app').length >= 2)
    await stop()
    const reminders = ana.sees('app')
    expect(reminders).toHaveLength(2)

    const reminderOf = (backHalf: string) =>
      reminders.find((message) => texts(message).includes(`/${backHalf}|`))
    const kept = reminderOf('kept')
    const keptBefore = reminderOf('kept-before')
    if (!kept || !keptBefore) throw new Error('there is a reminder of each link')
    await ana.presses('Keep it', { in: 'app', message: kept })
    await ana.gets('no longer expires', { in: 'app' })
    await changeLink(opened.database, 'kept-before', { expires_at: null })
    await ana.presses('Keep it', { in: 'app', message: keptBefore })
    await until(() => !JSON.stringify(ana.sees('app')).includes('Keep it'))
    const rows = await opened.database.db.selectFrom('links').select('expires_at').execute()
    expect(rows).toEqual([{ expires_at: null }, { expires_at: null }])
    expect(refusals()).toEqual([])
    await app.stop()
  })
})
