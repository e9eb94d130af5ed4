import { expect } from 'vitest'
import { qrPng } from '../../../../src/qr/qr-code.ts'
import { withApp } from '../../../support/fixtures.ts'
import { createFakeClock } from '../../../support/platform.ts'
import { texts } from '../../../support/texts.ts'

const clock = createFakeClock()
const { test, ana, ben, until } = withApp({ clock })

const seesDuplicate = () => until(() => ana.modal()?.view['callback_id'] === 'already_shortened')

/** Creates a link with the command. @returns its short URL */
async function made(command: string, url: string): Promise<string> {
  const answer = await ben.asks(`/shorten ${command}`, { for: url })
  return /<(http:\/\/localhost:\d+\/[^|]+)\|/.exec(texts(answer))?.[1] ?? ''
}

/** Submits a form with a destination that already has a link. */
async function submitsDuplicate(destination: string): Promise<void> {
  await ana.opens('/shorten')
  ana.fills({ Destination: destination })
  await ana.submits()
  await seesDuplicate()
}

test('the form shows the existing link of a duplicate, and the user can use it with its QR code', async () => {
  const url = 'https://example.com/existing'
  const short = await made(`${url} title="Spring sale" expires=30d`, '/existing')
  await submitsDuplicate('https://EXAMPLE.com/existing')
  expect(texts(ana.modal())).toContain(short)
  expect(texts(ana.modal())).toContain('Spring sale')
  expect(texts(ana.modal())).toContain(`Created by <@${ben.id}> <!date^`)
  expect(texts(ana.modal())).toContain('  ·  expires <!date^')

  await ana.submits()
  await until(() => !ana.modal())
  const answer = await ana.gets(`Your short link: ${short}`)
  expect(answer.ephemeral).toBe(true)
  expect(texts(answer)).toContain('Share in channel')
  await ana.gets(`QR code for *${short}*`)
})

test('“Change something” goes back to the form, which has everything typed', async () => {
  const url = 'https://example.com/to-be-changed'
  await made(url, '/to-be-changed')
  await ana.types('/shorten', { in: 'marketing' })
  await ana.seesModal()
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
  ana.fills({ Destination: url, 'Back-half': 'mine', Title: 'صيف ☀️', 'Preview title': 'Hello' })
  ana.uploads('Preview image', { name: 'card.png', bytes: await qrPng('a picture') })
  await ana.submits()
  await seesDuplicate()
  const metadata = String(ana.modal()?.view['private_metadata'])
  expect(Buffer.from(metadata, 'base64url').toString('latin1')).not.toContain('hooks')
  expect(texts(ana.modal())).toContain('The back-half “mine” was not used.')

  expect(ana.modal()?.view['close']).toMatchObject({ text: 'Change something' })
  await ana.closes()
  expect(ana.form()).toMatchObject({ destination_url: url, back_half: 'mine', title: 'صيف ☀️' })
  ana.fills({ Destination: `${url}-now` })
  await ana.submits()
  await ana.gets('/mine', { in: 'marketing' })
  expect(ana.modal()).toBeUndefined()
})

test('a command is answered with the existing link of a duplicate, and a button uses it', async () => {
  const url = 'https://example.com/by-command'
  const short = await made(`${url} color=#123456`, '/by-command')
  const text = `This destination already has a short link: ${short}`
  const answer = await ana.asks(`/shorten ${url} color=#102030`, { in: 'marketing', for: text })
  expect(answer).toMatchObject({ text, ephemeral: true })
  await ana.gets(`QR code for ${short}`, { in: 'marketing' })

  await ana.presses('Use this link', { in: 'marketing' })
  const used = await ana.gets(`Your short link: ${short}`, { in: 'marketing' })
  expect(used.ts).toBe(answer.ts)
  expect(texts(used)).toContain('Share in channel')
})

test('a duplicate says that the back-half of the command was not used, unless the link has it', async () => {
  const url = 'https://example.com/with-back-half'
  await made(`${url} first qr=off`, '/first')
  for (const [backHalf, isUnused] of [
    ['second', true],
    ['FIRST', false],
  ] as const) {
    const answer = texts(await ana.asks(`/shorten ${url} ${backHalf} qr=off`))
    expect(answer).not.toContain('slack_file')
    expect(answer).toContain('This destination already has a short link:')
    expect(answer.includes(`The back-half “${backHalf}” was not used.`)).toBe(isUnused)
  }
})

test('a command that is too long for a button is shown, to be copied', async () => {
  const url = `https://example.com/${'long/'.repeat(392)}end`
  await made(url, '/long')
  const answer = await ana.asks(`/shorten ${url} title="A title of some length"`, {
    in: 'marketing',
    for: 'You typed',
  })
  expect(texts(answer)).toContain(`"/shorten ${url} `)
  expect(texts(answer)).toContain('Use this link')
  expect(texts(answer)).not.toContain('Change something')
})

test('the form shows the existing link of the longest destination', async () => {
  const random = Array.from({ length: 1_979 }, (_, at) => ((at * 7919) % 36).toString(36)).join('')
  const url = `https://example.com/${random}`
  const short = await made(`${url} qr=off`, '/')
  await submitsDuplicate(url)
  await ana.submits()
  await ana.gets(short)
})
