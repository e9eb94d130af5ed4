import type { KnownBlock } from '@slack/types'
import { expect } from 'vitest'
import { MESSAGE_SHORTCUT } from '../../../src/slack/ids.ts'
import { withApp, withAppElsewhere } from '../../support/fixtures.ts'
import type { PersonDriver } from '../../support/person.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'
import { linksTo } from './stored-links.ts'

const { test, app, ana, until, settings } = withApp({ clock: createFakeClock() })

const SPRING = { name: 'Spring', values: { utm_source: 'newsletter' }, tags: 'Mailing, spring' }

/** The tags that the link service has for https://example.com/NAME; undefined if there is no such link. */
const tagsOf = async (name: string): Promise<string | null | undefined> =>
  (await linksTo(app, `https://example.com/${name}`))[0]?.tags

const shortens = (rest: string, text: string) =>
  ana.asks(`/shorten https://example.com/${rest} qr=off`, { for: text })

/** The hint of the form's input for tags. */
function tagsHint(person: PersonDriver): string | undefined {
  const { blocks } = person.modal()?.view as unknown as { blocks: KnownBlock[] }
  const input = blocks.find(({ block_id }) => block_id === 'tags')
  return input?.type === 'input' ? input.hint?.text : undefined
}

test('the command creates a link with tags, and shows them as the link service spells them', async () => {
  await shortens('a tags="Spring Sale,print"', 'Tags *print, Spring Sale*')
  expect(await tagsOf('a')).toBe('print,Spring Sale')
  await shortens('b tags="SPRING  sale"', 'Tags *Spring Sale*')
  expect(await tagsOf('b')).toBe('Spring Sale')
  expect(texts(await ana.asks('/shorten list example.com/a'))).toContain(
    '#\u2068print\u2069 #\u2068Spring Sale\u2069',
  )
})

test('the form names the most used tags', async () => {
  await ana.opens('/shorten', 'title')
  expect(tagsHint(ana)).toBe('Separated by commas. Often used: Spring Sale, print.')
})

test('refuses invalid tags, and the form behind “Change something” shows the error at its input', async () => {
  const reason = '“a/b” can’t be a tag. Use letters, digits, spaces, - and _'
  await shortens('c tags=a/b', `Tags: ${reason}`)
  expect(await tagsOf('c')).toBeUndefined()
  await ana.presses('Change something', { in: 'general' })
  expect(await ana.seesModal('"tags"')).toContain(reason)
  expect(ana.form()).toMatchObject({ tags: 'a/b' })
  await ana.submits()
  expect(await ana.seesErrors()).toMatchObject({ tags: expect.stringContaining(reason) as unknown })
  ana.fills({ Tags: 'a, b' })
  await ana.submits()
  await ana.gets('Tags *a, b*')
  expect(await tagsOf('c')).toBe('a,b')
})

test('the form that edits a link changes its tags and clears them', async () => {
  const made = await shortens('edited tags=a,b', 'Tags *a, b*')
  const edits = async (shown: string, tags: string) => {
    await ana.chooses('Edit', { in: 'general', message: made, of: 'link_menu' })
    await ana.seesModal('"tags"')
    expect(ana.form()).toMatchObject({ tags: shown })
    ana.fills({ Tags: tags })
    await ana.submits()
  }
  await edits('a, b', 'B ,a')
  await ana.seesModal('You changed nothing, so nothing was saved.')
  await ana.closesAll()
  await edits('a, b', 'b, ü')
  await ana.gets('You changed: Tags.')
  expect(await tagsOf('edited')).toBe('b,ü')
  await ana.gets('Tags *b, ü*')
  await edits('b, ü', '')
  await until(() => !texts(ana.newest('general')).includes('Tags *'))
  expect(await tagsOf('edited')).toBeNull()
})

test('an admin adds tags to a template, and the form refuses invalid ones', async () => {
  await settings.set({})
  await ana.opens('/shorten settings', 'edit_templates')
  await ana.presses('edit_templates')
  await ana.seesModal('add_template')
  await ana.presses('add_template')
  await ana.seesModal('template_name')
  ana.fills({ Name: 'Tags only' })
  await ana.submits()
  expect(await ana.seesErrors()).toEqual({
    utm_source: 'Fill in at least one UTM parameter or tag.',
  })
  ana.fills({ Tags: 'x'.repeat(41) })
  await ana.submits()
  expect(await ana.seesErrors()).toMatchObject({
    tags: expect.stringContaining('Use at most 40 characters.') as unknown,
  })
  ana.fills({ Tags: 'poster,Print' })
  await ana.submits()
  await ana.seesModal('*Tags only*\\ntags: poster, Print')
  await ana.closes()
  await ana.seesModal('1: Tags only')
  await shortens('only template="tags only"', 'Tags *poster, print*')
})

test('a template fills in its tags, unless the user types others', async () => {
  await settings.set({ templates: [SPRING] })
  await shortens('t1 template=spring', 'Tags *Mailing, spring*')
  expect(await tagsOf('t1')).toBe('Mailing,spring')
  await shortens('t2 template=spring tags=print', 'UTM source *newsletter*\u0020 ·  Tags *print*')
  expect(await tagsOf('t2')).toBe('print')
})

test('in the form, a template replaces the tags as it does the UTM parameters', async () => {
  await settings.set({ templates: [SPRING] })
  await ana.opens('/shorten', '"tags"')
  ana.fills({ Destination: 'https://example.com/t3', 'QR code': [], Tags: 'print' })
  await ana.chooses('Spring')
  await ana.seesModal('tags~1')
  expect(ana.form()).toMatchObject({ 'tags~1': 'Mailing, spring', 'utm_source~1': 'newsletter' })
  await ana.submits()
  await ana.gets('Tags *Mailing, spring*')
  expect(await tagsOf('t3')).toBe('Mailing,spring')
})

test('the checklist of a message’s links adds the tags of a template', async () => {
  await settings.set({ templates: [SPRING] })
  const message = await ana.posts('https://example.com/l1 https://example.com/l2')
  await ana.runsMessageShortcut(MESSAGE_SHORTCUT, 'general', message)
  await ana.seesModal()
  ana.fills({ 'UTM template': 'Spring', 'QR code': [] })
  await ana.submits()
  await ana.gets('shortened 2 links')
  expect([await tagsOf('l1'), await tagsOf('l2')]).toEqual(['Mailing,spring', 'Mailing,spring'])
})

const elsewhere = withAppElsewhere({ clock: createFakeClock() })

elsewhere.test('shows nothing of tags and expiry with a service that has neither', async () => {
  const { ana, service } = elsewhere
  await elsewhere.settings.set({ templates: [SPRING] })
  const shorten = '/shorten https://example.com/page qr=off'
  const lacking = 'This workspace’s link service doesn’t offer this. Leave this out.'
  await ana.asks(`${shorten} tags=print`, { for: `Tags: ${lacking}` })
  await ana.asks(`${shorten} expires=30d`, { for: `Expires: ${lacking}` })
  expect(service.received).toEqual([])
  // A template might be older than the connection to this service.
  await ana.asks(`${shorten} template=spring`, { for: 'UTM source *newsletter*' })
  expect(service.received.map(({ body }) => body.includes('name="tags"'))).toEqual([false])

  expect(await ana.opens('/shorten', 'title')).not.toMatch(/"tags"|"expires_at"/)
  await ana.chooses('Spring')
  expect(await ana.seesModal('utm_source~1')).not.toContain('tags')
  await ana.closesAll()
  await ana.opens('/shorten settings', 'edit_templates')
  await ana.presses('edit_templates')
  await ana.seesModal('template_menu')
  await ana.chooses('Edit', { of: 'template_menu' })
  expect(await ana.seesModal('template_name')).not.toContain('"tags"')
  ana.fills({ Name: 'Renamed' })
  await ana.submits()
  await ana.seesModal('*Renamed*\\nsource: newsletter  ·  tags: Mailing, spring')
})
