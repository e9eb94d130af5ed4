import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import { withApp } from '../../support/fixtures.ts'
import type { PersonDriver } from '../../support/person.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

const { test, slack, ana, ben, until } = withApp({ clock: createFakeClock() })

/** Where the first short URL in a message leads. */
async function destinationOf(message: Message): Promise<string | null> {
  const answer = await fetch(shortUrlOf(message), { redirect: 'manual' })
  expect(answer.status).toBe(302)
  return answer.headers.get('location')
}

function shortUrlOf(message: Message): string {
  return /http:\/\/localhost:\d+\/[\w-]+/.exec(texts(message))?.[0] ?? ''
}

/** What a phone would read from the message's QR image. */
function scan(message: Message): { text: string | undefined; color: string } {
  const block = message.blocks?.find(({ type }) => type === 'image')
  const id = (block?.['slack_file'] as { id: string } | undefined)?.id ?? ''
  const { data, width, height } = PNG.sync.read(slack.workspace.file(id)?.bytes ?? Buffer.of())
  const dark = data.findIndex((_, at) => at % 4 === 0 && data[at] !== 255)
  return {
    text: jsqr.default(new Uint8ClampedArray(data), width, height)?.data,
    color: `#${data.subarray(dark, dark + 3).toString('hex')}`,
  }
}

/** The message that brings the QR code of a link. */
const pictureOf = (answer: Message, person: PersonDriver) =>
  person.gets(`QR code for *${shortUrlOf(answer)}*`)

test('shortens a link at once, and shows its short URL and then its QR code only to the user', async () => {
  const answer = await ana.asks('/shorten https://example.com/some/long/page?a=1&b=2#c', {
    for: 'some/long/page',
  })
  expect(answer.ephemeral).toBe(true)
  expect(ben.newest('general')).toBeUndefined()
  expect(await destinationOf(answer)).toBe('https://example.com/some/long/page?a=1&b=2#c')
  const picture = await pictureOf(answer, ana)
  expect(picture.ephemeral).toBe(true)
  expect(scan(picture)).toEqual({ text: shortUrlOf(answer), color: '#000000' })
})

test('shares the link once with a channel that the app is not in, then says so and keeps the menu', async () => {
  const answer = await ana.asks('/shorten https://example.com/to-share', { for: 'to-share' })
  const press = () => ana.presses('Share in channel', { in: 'general', message: answer })
  await Promise.all([press(), press()])
  const shared = await ben.gets('shared a short link')
  expect(shared.ephemeral).toBe(false)
  expect(scan(await ben.gets('slack_file')).text).toBe(shortUrlOf(answer))

  const current = (): Message | undefined => ana.sees('general').find(({ ts }) => ts === answer.ts)
  await until(() => texts(current()).includes('Shared in this conversation'))
  expect(ben.sees('general').filter((one) => texts(one).includes('to-share'))).toHaveLength(1)
  expect(texts(current())).not.toContain('Share in channel')
  expect(texts(current())).toContain('to-share')
  expect(texts(current())).toContain('"Edit"')
  await ana.chooses('Copy, QR code, share…', { in: 'general', message: current() as Message })
  await ana.seesModal('slack_file')
  ana.fills({ 'Share in': 'marketing' })
  await ana.submits()
  await ben.gets('to-share', { in: 'marketing' })
})

test('accepts a back-half, options and curly quotes', async () => {
  const answer = await ben.asks(
    '/shorten https://example.com/sale?utm_source=ours&x=1 spring-sale title=“Spring sale” color=#1f4f46 utm_source=ours utm_campaign=“spring sale”',
    { for: 'Spring sale' },
  )
  expect(shortUrlOf(answer)).toMatch(/\/spring-sale$/)
  expect(texts(answer)).toContain('UTM source *ours*, campaign *spring sale*')
  expect(scan(await pictureOf(answer, ben)).color).toBe('#1f4f46')
  expect(await destinationOf(answer)).toBe(
    'https://example.com/sale?utm_source=ours&x=1&utm_campaign=spring+sale',
  )
})

test('says that a back-half differs from another only in case, in the answer and before Create', async () => {
  await ana.asks('/shorten https://example.com/poster Autumn qr=off', { for: '/Autumn' })
  const alike = await ana.asks('/shorten https://example.com/other autumn qr=off', {
    for: '/Autumn differs only in upper and lower case',
  })
  expect(shortUrlOf(alike)).toMatch(/\/autumn$/)

  await ana.opens('/shorten')
  ana.fills({ Destination: 'https://example.com/third', 'Back-half': 'AUTUMN', 'QR code': [] })
  await ana.submits()
  await ana.seesModal('press Create again to use it')
  await ana.submits()
  await ana.gets('/AUTUMN')
})

test('says when the link of a back-half was deleted, and answers an unknown one in every command', async () => {
  await ana.asks('/shorten https://example.com/gone gone qr=off', { for: '/gone' })
  await ana.opens('/shorten delete gone', 'for good?')
  await ana.submits()
  await until(() => !ana.modal())
  for (const command of ['edit gone', 'clicks gone', 'delete gone']) {
    const before = ana.sees('general').length
    await ana.types(`/shorten ${command}`, { in: 'general' })
    // While our record still has the link, the modal is opened, and shows the message.
    await until(() => {
      const answers = ana.sees('general').slice(before).map(texts)
      return /was deleted on .*Its back-half stays reserved/.test(
        [...answers, JSON.stringify(ana.modal() ?? {})].join(),
      )
    })
    await ana.closesAll()
  }
  await ana.asks('/shorten https://example.com/new gone', {
    for: 'A link with this back-half was deleted on',
  })
  await ana.asks('/shorten clicks nope', { for: 'can’t find nope' })
  for (const command of ['edit', 'delete']) {
    await ana.opens(`/shorten ${command} nope`, 'can’t find nope')
    await ana.closes()
  }
})

test('“Change something” opens the form, filled in, to correct a command', async () => {
  await ana.asks('/shorten https://example.com/first wanted', { for: '/wanted' })
  const refused = await ana.asks('/shorten https://example.com/second wanted title="Two words"', {
    for: 'This back-half is taken on this domain.',
  })
  expect(texts(refused)).toContain('"/shorten https://example.com/second wanted')

  await ana.presses('Change something', { in: 'general', message: refused })
  await ana.seesModal()
  expect(ana.form()).toMatchObject({ back_half: 'wanted', title: 'Two words' })
  ana.fills({ 'Back-half': 'wanted-too' })
  await ana.submits()
  const made = await ana.gets('wanted-too')
  expect(await destinationOf(made)).toBe('https://example.com/second')
})

test('shows a refused command that is too long for “Change something”', async () => {
  const long = `https://example.com/${'x'.repeat(2_000)}`
  const refused = await ana.asks(`/shorten ${long} too-long title="Two words"`, {
    for: 'Destination: ',
  })
  expect(texts(refused)).toContain(`${long} too-long title=\\"Two words\\"`)
  expect(texts(refused)).not.toContain('Change something')
})

test.each([
  ['https://example.com/odd lost words', '“words”', { back_half: 'lost' }],
  ['https://example.com/odd title="Never closed', 'A quote is never', { title: 'Never closed' }],
  ['https://example.com/odd titel=x color=#123456', '“titel”', { qr_code_color: '#123456' }],
  ['title=x', 'Enter the link', { title: 'x' }],
])(
  '“Change something” fills in what is understood of %s, and shows the error',
  async (text, error, form) => {
    const refused = await ana.asks(`/shorten ${text}`, { for: error })
    await ana.presses('Change something', { in: 'general', message: refused })
    await ana.seesModal(error)
    expect(ana.form()).toMatchObject(form)
    await ana.closesAll()
  },
)

test('reports words that it does not understand together with errors of the fields', async () => {
  const refused = await ana.asks('/shorten https://example.com color=pale odd template=None', {
    for: '“odd”',
  })
  expect(texts(refused)).toContain('Write the color as #RRGGBB')
  expect(texts(refused)).toContain(
    'There is no template “None”. This workspace has none yet. An admin can add some with /shorten',
  )
})

test.each([
  ['/shorten nonsense', 'Backhalf doesn’t know “nonsense”. Here is what you can type:'],
  ['/shorten lsit 2', 'Backhalf doesn’t know “lsit”. Did you mean `list`? Here is'],
  ['/shorten stats', '`/shorten clicks spring-sale` shows the clicks of a link.'],
  ['/shorten tag', '`/shorten list tag:spring` shows the links with a tag'],
  ['/shorten qr spring', '`/shorten list` has a button _QR code_ with each link'],
  ['/shorten https://example.com color=#ffff99', 'QR color: #ffff99 is too pale'],
  ['/shorten https://example.com/b api', 'Back-half: '],
  ['/shorten https://example.com color=pale', '"/shorten https://example.com color=pale"'],
])('answers %s with: %s', async (command, words) => {
  const answer = await ben.asks(command, { in: 'marketing' })
  expect(answer.ephemeral).toBe(true)
  expect(texts(answer)).toContain(words)
})
