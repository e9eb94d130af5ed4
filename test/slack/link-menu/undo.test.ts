import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { texts } from '../../support/texts.ts'

describeOnDatabase((opened) => {
  test('edits, turns off, turns on and deletes a link without a dialog to be closed, and undoes only its own change', async () => {
    const config = { databaseUrl: opened.url, encryptionKeys: [randomBytes(32)] }
    const app = await startApp({ config })
    onTestFinished(() => app.stop())
    const { ana, ben, until } = app.slack
    const shortUrl = `${app.running.serviceUrl.replace('127.0.0.1', 'localhost')}/spring`
    const follows = (): Promise<Response> => fetch(shortUrl, { redirect: 'manual' })
    const status = async (): Promise<number> => (await follows()).status
    const says = (text: string): Promise<unknown> =>
      until(() => ben.sees('general').map(texts).join().includes(text) && !ben.modal())

    const { ts } = await ben.asks('/shorten https://example.com/page spring', { for: 'link_menu' })
    const message = (): string => texts(ben.sees('general').find((one) => one.ts === ts))
    await ben.chooses('Edit', { in: 'general', of: 'link_menu' })
    await ben.seesModal('back_half')
    expect(ben.form()).toMatchObject({
      destination_url: 'https://example.com/page',
      back_half: 'spring',
    })
    ben.fills({ Destination: 'https://example.com/new', Title: 'Spring' })
    await ben.submits()
    await says('You changed: Destination, Title.')
    expect((await follows()).headers.get('location')).toBe('https://example.com/new')
    expect(message()).toContain('example.com/new')
    // The picture of its QR code is in a message of its own, and isn't uploaded again.
    expect(message()).not.toContain('slack_file')

    await ben.chooses('Turn off', { in: 'general', of: 'link_menu' })
    await says('*Turned off.*')
    expect(await status()).toBe(410)
    expect(message()).not.toContain('Share in')
    await ben.presses('Undo', { in: 'general' })
    await says('*Turned on.*')
    expect(await status()).toBe(302)

    await ben.chooses('Turn off', { in: 'general', of: 'link_menu' })
    await says('*Turned off.*')
    await ana.opens('/shorten edit spring', 'back_half')
    ana.fills({ Title: 'By Ana' })
    await ana.submits()
    await until(() => !ana.modal())
    await ben.presses('Undo', { in: 'general' })
    await says('This link has changed since you turned it off, so Undo changed nothing this time.')
    expect(await status()).toBe(410)

    // The menu turns it on as it is now.
    await ben.chooses('Turn on', { in: 'general', of: 'link_menu' })
    await says('*Turned on.*')
    await ben.chooses('Delete', { in: 'general', of: 'link_menu' })
    await ben.seesModal('for good?')
    await ben.submits()
    await says('*Deleted.*')
    expect(await status()).toBe(410)
    expect(app.slack.refusals()).toEqual([])
  })
})
