import { beforeEach, expect } from 'vitest'
import type { Message } from '../../../src/simulator/protocol.ts'
import { withApp } from '../../support/fixtures.ts'
import type { PersonDriver } from '../../support/person.ts'
import { MESSAGE_SHORTCUT } from '../../../src/slack/ids.ts'
import { PNG } from '../../support/images.ts'
import { texts } from '../../support/texts.ts'

/** Through signed HTTP, with our own link service. */
const { test, app, slack, ana, ben, gil, until } = withApp({
  slack: { now: () => Date.now() + later },
})

/** How far Slack's clock is ahead, in milliseconds. */
let later = 0

let count = 0
/** A back-half that no other test uses. */
let half = ''

beforeEach(() => {
  later = 0
  half = `half-${++count}`
})

/** The app's newest message about this test’s link. */
const about = (who: PersonDriver, where: string): Message | undefined =>
  who
    .sees(where)
    .findLast((message) => texts(message).includes(half) && texts(message).includes('link_menu'))

async function makes(who: PersonDriver, text = `https://example.com/${half} ${half}`) {
  await who.types(`/shorten ${text}`, { in: 'general' })
  return until(() => about(who, 'general'))
}

/** Chooses from the menu of this test’s link in a message, in which it is the first. @param text of the modal, if one opens */
async function chooses(
  who: PersonDriver,
  option: string,
  message: Message,
  text?: string,
): Promise<void> {
  await who.chooses(option, { in: 'general', message, of: 'link_menu' })
  if (text !== undefined) await who.seesModal(text)
}

/** Waits until a message about this test’s link says what was done. No modal is left to be closed. */
async function tells(who: PersonDriver, text: string, where = 'general'): Promise<void> {
  const says = (message: Message): boolean =>
    texts(message).includes(half) && texts(message).includes(text)
  await until(() => who.sees(where).some(says) && !who.modal())
}

const shortUrl = (backHalf = half): string =>
  `${app.running.serviceUrl.replace('127.0.0.1', 'localhost')}/${backHalf}`

const follows = async (backHalf = half) => {
  const { status, headers } = await fetch(shortUrl(backHalf), { redirect: 'manual' })
  return { status, location: headers.get('location') }
}

const lists = (who: PersonDriver): Promise<Message> =>
  who.asks('/shorten list', { for: 'list_sort' })

/** A list in which this test’s link has a choice, as soon as its creator is stored. */
async function listed(who: PersonDriver, option = 'Edit'): Promise<Message> {
  for (let tries = 0; tries < 20; tries++) {
    const list = await lists(who)
    if (block(list).includes(`"${option}"`)) return list
  }
  throw new Error('no list has the menu')
}

/** The block of a list that shows this test’s link, with its menu. */
const block = (list: Message): string => {
  const blocks = list.blocks ?? []
  const index = blocks.findIndex((one) => JSON.stringify(one).includes(half))
  return JSON.stringify(blocks[index] ?? [])
}

const general = (who: PersonDriver): string => who.sees('general').map(texts).join()

const now = (who: PersonDriver, { ts }: Message): string =>
  texts(who.sees('general').find((message) => message.ts === ts))

test.each([
  ['edit', 'back_half', 'This link has changed since you turned it off, so Undo changed nothing'],
  ['delete', 'for good?', 'was deleted on'],
])('Undo changes nothing after an %s by someone else', async (command, opened, answer) => {
  await chooses(ben, 'Turn off', await makes(ben, `https://example.com/${half} ${half} qr=off`))
  await tells(ben, '"Undo"')
  await ana.opens(`/shorten ${command} ${half}`, opened)
  if (command === 'edit') ana.fills({ Title: 'By Ana' })
  await ana.submits()
  await until(() => !ana.modal())
  await ben.presses('Undo', { in: 'general' })
  await ben.gets(answer)
  expect(await follows()).toMatchObject({ status: 410 })
})

test('draws the list again after a change, with the state of the link, and undoes turning off', async () => {
  await makes(ben)
  const list = await listed(ben)
  const drawn = (): Message => ben.sees('general').find(({ ts }) => ts === list.ts) as Message
  await chooses(ben, 'Turn off', list)
  await until(() => now(ben, list).includes('see a page saying that it is turned off'))
  expect(ben.modal()).toBeUndefined()
  await ben.presses('Undo', { in: 'general' })
  await until(() => now(ben, list).includes('leads to its destination again'))
  expect(now(ben, list)).not.toContain('"Undo"')
  expect(await follows()).toMatchObject({ status: 302 })

  await chooses(ben, 'Turn off', drawn())
  await until(() => now(ben, list).includes('see a page saying that it is turned off'))
  expect(block(drawn())).toContain(':no_entry_sign:\u00a0off')
  expect(block(drawn())).toContain('"Turn on"')
  expect(block(drawn())).not.toContain('share…')
  await chooses(ben, 'Delete', drawn(), 'for good?')
  expect(texts(ben.modal())).not.toContain('turn it off')
  await ben.closes()
  await chooses(ben, 'Turn on', drawn())
  await until(() => now(ben, list).includes('leads to its destination again'))
  expect(block(drawn())).toContain('share…')

  await chooses(ben, 'Delete', drawn(), 'for good?')
  await ben.submits()
  await until(() => now(ben, list).includes('*Deleted.*') && !ben.modal())
  expect(now(ben, list)).not.toContain(`|${shortUrl().slice('http://'.length)}>`)
})

test('a message shows whether its link is on, even if Slack is slow', async () => {
  const made = await makes(ben, `https://example.com/${half} ${half} qr=off`)
  slack.failNext('response_url', { delayMs: 300 })
  await chooses(ben, 'Turn off', made)
  await expect.poll(() => follows()).toMatchObject({ status: 410 })
  // An earlier list has a button of its own.
  await chooses(ben, 'Turn on', await listed(ben, 'Turn on'))
  let wasOff = false
  await until(() => {
    const shown = now(ben, made)
    wasOff ||= shown.includes('"Turn on"') && !shown.includes('Share in')
    return wasOff && general(ben).includes('leads to its destination again')
  })
})

test.each(['a list', 'the message of a link'])(
  'tells the result in a message of its own if %s can’t be replaced anymore',
  async (shown) => {
    // A picture would still be on its way when the clock goes on.
    const made = await makes(ben, `https://example.com/${half} ${half} qr=off`)
    const message = shown === 'a list' ? await listed(ben) : made
    await chooses(ben, 'Edit', message, 'back_half')
    ben.fills({ Title: 'Spring' })
    const seen = ben.sees('general').length

    later = 31 * 60_000
    await ben.submits()
    await tells(ben, 'You changed: Title.')
    const refused = { where: 'response_url', error: 'expired_url' }
    expect(slack.takeRefusals()).toMatchObject([refused, refused])
    expect(ben.sees('general')).toHaveLength(seen + 1)
    expect(now(ben, message)).not.toContain('Spring')
    expect(texts(about(ben, 'general'))).toContain('Spring')
  },
)

test('draws the Home tab again after a change, and tells there what was done and what failed', async () => {
  await makes(ben)
  await ben.opensHome()
  await ben.seesHome(half)
  await ben.chooses('Edit', { in: 'home', of: 'link_menu' })
  await ben.seesModal('back_half')
  ben.fills({ Title: `Title of ${half}` })
  await ben.submits()
  await ben.seesHome('You changed: Title.')
  expect(JSON.stringify(ben.home())).toContain(`Title of ${half}`)
  await ben.chooses('Turn off', { in: 'home', of: 'link_menu' })
  await ben.seesHome('"Undo"')
  expect(ben.modal()).toBeUndefined()
  expect(await follows()).toMatchObject({ status: 410 })
  await ben.presses('Undo', { in: 'home' })
  expect(await ben.seesHome('leads to its destination again')).not.toContain('"Undo"')
  expect(await follows()).toMatchObject({ status: 302 })

  await gil.opensHome()
  await gil.seesHome(half)
  await ana.opens(`/shorten delete ${half}`, 'for good?')
  await ana.submits()
  await tells(ana, '*Deleted.*')
  await ben.chooses('Turn off', { in: 'home', of: 'link_menu' })
  await ben.seesHome('was deleted on')
})

test('only the creator and admins can change a link, when its menu is drawn and when it is used', async () => {
  await ana.types(`See https://example.com/${half}`, { in: 'general' })
  const posted = await until(() => ana.sees('general').at(-1))
  await ana.runsMessageShortcut(MESSAGE_SHORTCUT, 'general', posted)
  await ana.seesModal()
  ana.fills({ 'Back-half': half })
  await ana.submits()
  // Everyone sees the reply, with the menu of its creator.
  const reply = await until(() => about(ben, 'general'))
  await chooses(ben, 'Turn off', reply)
  await ben.gets('Only the person who created this link and admins')
  expect(await follows()).toMatchObject({ status: 302 })

  expect(block(await lists(ben))).not.toContain('"Edit"')
  expect(block(await lists(ben))).toContain('"Clicks, alert me…"')
  expect(block(await listed(ana))).toContain('"Edit"')
})

test('explains that someone else edited the link first, and keeps both edits', async () => {
  const made = await makes(ben)
  await chooses(ben, 'Edit', made, 'back_half')
  ben.fills({ Title: 'By Ben', 'QR color': '#112233' })

  const list = await listed(ana)
  await chooses(ana, 'Edit', list, 'back_half')
  ana.fills({ Title: 'By Ana', Destination: `https://example.com/${half}/ana` })
  await ana.submits()
  await tells(ana, 'You changed: Destination, Title.')

  await ben.submits()
  const shown = await ben.seesModal(
    'This link has changed since you opened it, so nothing was saved',
  )
  expect(shown).toContain(
    `Destination is now “https://example.com/${half}/ana”. Title is now “By Ana”. Press Save again to save what you changed.`,
  )
  expect(ben.form()).toMatchObject({ title: 'By Ben', qr_code_color: '#112233' })
  await ben.submits()
  await tells(ben, 'You changed: Title, QR color.')
  expect(await follows()).toMatchObject({ location: `https://example.com/${half}/ana` })
  expect(block(await listed(ben))).toContain('By Ben')
})

test.each([
  ['Edit', 'back_half', 'was deleted on'],
  ['Delete', 'for good?', '*Deleted.*'],
])('says that the link was deleted meanwhile: %s', async (option, opened, answer) => {
  await chooses(ben, option, await makes(ben), opened)
  await chooses(ana, 'Delete', await listed(ana), 'for good?')
  await ana.submits()
  await tells(ana, '*Deleted.*')

  if (option === 'Edit') ben.fills({ Title: 'Too late' })
  await ben.submits()
  if (option === 'Edit') await ben.seesModal(answer)
  else await tells(ben, answer)
})

test('says that someone else turned the link off, in the form and with its clicks', async () => {
  const made = await makes(ben)
  await chooses(ben, 'Edit', made, 'back_half')
  ben.fills({ Title: 'By Ben' })
  await chooses(ana, 'Turn off', await listed(ana))
  await tells(ana, 'Turned off')

  await ben.submits()
  const shown = await ben.seesModal(
    'It is now turned off. Press Save again to save what you changed.',
  )
  expect(shown).toContain('This link is turned off. Saving doesn’t turn it on.')
  await ben.submits()
  await tells(ben, 'You changed: Title.')
  expect(await follows()).toMatchObject({ status: 410 })
  await chooses(ben, 'Clicks, alert me…', about(ben, 'general') as Message, 'slack_file')
  expect(texts(ben.modal())).toContain(':no_entry_sign:\u00a0off')
  await ben.asks(`/shorten clicks ${shortUrl()}`, { for: ':no_entry_sign:\u00a0off' })
})

test('does not delete a link that someone else changed while the form was open', async () => {
  await chooses(ben, 'Delete', await makes(ben), 'for good?')
  await chooses(ana, 'Edit', await listed(ana), 'back_half')
  ana.fills({ Title: 'By Ana', Destination: `https://example.com/${half}/ana` })
  await ana.submits()
  await tells(ana, 'You changed')

  await ben.submits()
  await ben.seesModal(
    'This link has changed since you opened this form, so it wasn’t deleted. Close this, and choose Delete again',
  )
  expect(await follows()).toMatchObject({ status: 302 })
})

test('shows a conflict at its field, and keeps what the user typed', async () => {
  await makes(ben)
  const taken = half
  half = `half-${++count}`
  const made = await makes(ben)
  await chooses(ben, 'Edit', made, 'back_half')
  ben.fills({ 'Back-half': taken, Title: 'Kept' })
  await ben.submits()
  expect(await ben.seesErrors()).toEqual({
    back_half: 'This back-half is taken on this domain. Choose another back-half.',
  })
  ben.fills({ 'Back-half': half, Destination: `https://example.com/${taken}` })
  await ben.submits()
  await until(() => ben.modal()?.errors['destination_url'])
  expect(ben.modal()?.errors['destination_url']).toBe(
    `This destination already has another short link on this domain. Choose another destination, or use the existing link: ${shortUrl(taken)}`,
  )
  expect(ben.form()).toMatchObject({ title: 'Kept' })
})

test('keeps the image of a link unless the user removes it', async () => {
  await ben.opens('/shorten')
  await ben.presses('Add a custom preview')
  await ben.seesModal('file_input')
  ben.fills({
    Destination: `https://example.com/${half}`,
    'Back-half': half,
    'Preview title': 'A card',
  })
  ben.uploads('Preview image', { name: 'card.png', bytes: PNG })
  await ben.submits()
  const made = await until(() => about(ben, 'general'))

  const image = async (): Promise<boolean> => {
    const headers = { 'user-agent': 'Twitterbot/1.0' }
    const page = await fetch(shortUrl(), { headers, redirect: 'manual' })
    return (await page.text()).includes('og:image')
  }
  expect(await image()).toBe(true)
  await chooses(ben, 'Edit', made, 'Remove the image')
  ben.fills({ 'Preview title': null })
  await ben.submits()
  await tells(ben, 'You changed: Preview title.')
  expect(await image()).toBe(true)

  await chooses(ben, 'Edit', about(ben, 'general') as Message, 'Remove the image')
  ben.fills({ 'Current image': ['on'] })
  await ben.submits()
  await tells(ben, 'You changed: Preview image.')
  expect(await image()).toBe(false)
})

test('lets the creator change a link after a new back-half, and its earlier short link still works', async () => {
  const made = await makes(ben)
  await chooses(ben, 'Edit', made, 'back_half')
  ben.fills({ 'Back-half': `${half}-new` })
  await ben.submits()
  await tells(ben, 'The earlier short link')
  const there = { status: 302, location: `https://example.com/${half}` }
  expect(await follows()).toEqual(there)
  expect(await follows(`${half}-new`)).toEqual(there)
  expect(now(ben, made)).toContain(`${half}-new`)
  // The picture of its QR code is in a message of its own, and isn't uploaded again.
  expect(now(ben, made)).not.toContain('slack_file')
  await chooses(ben, 'Turn off', await listed(ben))
  await tells(ben, 'see a page saying that it is turned off')
})

test('edits and deletes a link that a command names by its back-half', async () => {
  await makes(ben)
  await ben.opens(`/shorten edit ${half}`, 'back_half')
  await ben.submits()
  await ben.seesModal('You changed nothing')
  await ben.closes()
  await ben.opens(`/shorten edit ${half}`, 'back_half')
  ben.fills({ Title: 'Spring' })
  await ben.submits()
  await tells(ben, 'You changed: Title.')
  await ben.asks(`/shorten clicks ${half}`, { for: `Clicks on <${shortUrl()}|` })
  await gil.opens(`/shorten delete ${half}`, 'Only the person who created this link and admins')
  await ben.opens('/shorten delete', 'Type one short link or its back-half after `/shorten delete`')
  await ben.closes()
  await ben.opens(`/shorten delete ${shortUrl()}`, 'Spring')
  await ben.submits()
  await tells(ben, '*Deleted.*')
  expect(await follows()).toMatchObject({ status: 410 })
})

/** Creates a link that is turned off, so that its destination has a link that doesn’t work. */
async function makesAndTurnsOff(who: PersonDriver): Promise<void> {
  await chooses(who, 'Turn off', await makes(who))
  await tells(who, 'see a page saying that it is turned off')
}

test('offers to turn on the existing link if it is turned off, but only to users with the permission', async () => {
  await makesAndTurnsOff(ben)

  await ben.asks(`/shorten https://example.com/${half}`, { in: 'marketing', for: 'turned off' })
  const answer = await gil.asks(`/shorten https://example.com/${half}`, { for: 'turned off' })
  expect(texts(answer)).toContain('ask the person who created it or an admin to turn it on')
  expect(texts(answer)).not.toContain('turn_on')
  await ben.presses('Turn on', { in: 'marketing' })
  await until(() => about(ben, 'marketing'))
  expect(await follows()).toMatchObject({ status: 302 })
})

test('offers the same in the form', async () => {
  await makesAndTurnsOff(ben)

  await ben.types('/shorten', { in: 'marketing' })
  await ben.seesModal()
  ben.fills({ Destination: `https://example.com/${half}`, 'QR code': [] })
  await ben.submits()
  expect(await ben.seesModal('turned off')).not.toContain('Use this link')
  await ben.presses('Turn on')
  await ben.seesModal('You also get it as a message')
  await ben.closes()
  expect(ben.modal()).toBeUndefined()
  expect(await follows()).toMatchObject({ status: 302 })
  await ben.gets(half, { in: 'marketing' })
})
