import { expect } from 'vitest'
import { withApp } from '../../support/fixtures.ts'
import { createFakeClock } from '../../support/platform.ts'
import { texts } from '../../support/texts.ts'

/*
 * The form shows the URL that visitors will reach. With our service, that is where the short URL then redirects.
 */

const { test, app, ana, settings, until } = withApp({ clock: createFakeClock() })

/** The URL that Ana's form shows; undefined if it shows none. */
function shownUrl(): string | undefined {
  const blocks = (ana.modal()?.view as { blocks: { type: string; elements?: unknown }[] }).blocks
  const code = blocks.find(({ type }) => type === 'rich_text')
  return /"text":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(code ?? {}))?.[1]?.slice(1, -1)
}

async function openUtm(): Promise<void> {
  await ana.opens('/shorten')
  if (texts(ana.modal()).includes('Add UTM parameters')) await ana.presses('Add UTM parameters')
  await ana.seesModal('utm_source')
}

test.each([
  ['no-query', 'https://example.com/a1'],
  ['a-query-and-a-fragment', 'https://example.com/a2?b=c%20d&e=%2f&f#there?x=1'],
  ['a-utm-parameter', 'https://example.com/a3?utm_term=Shoes&utm_term=Hats'],
  ['another-script', 'https://bücher.example/straße?q=größe'],
  ['escaped-characters', 'https://example.com/a4?a=<b>&amp;c="d"'],
])(
  'shows where visitors of a destination with %s are redirected',
  async (backHalf, destination) => {
    await openUtm()
    ana.fills({
      Destination: destination,
      'Back-half': backHalf,
      'UTM source': 'News & Views',
      'UTM campaign': 'größer/2',
    })
    expect(shownUrl()).toBeUndefined()
    await ana.presses('Show')
    const shown = await until(shownUrl)
    await ana.submits()
    await ana.gets(`${app.running.serviceUrl.replace('127.0.0.1', 'localhost')}/${backHalf}`)
    const shortUrl = `${app.running.serviceUrl}/${backHalf}`
    const { headers } = await fetch(shortUrl, { redirect: 'manual' })
    expect(shown).toBe(headers.get('location'))
  },
)

test('shows the URL with the values that the naming rules make of what was typed', async () => {
  await settings.set({ naming: { lowerCase: true, spaces: '-', sources: [], mediums: [] } })
  await openUtm()
  ana.fills({ Destination: 'https://example.com/named', 'UTM source': 'News Letter' })
  await ana.presses('Show')
  expect(await until(shownUrl)).toBe('https://example.com/named?utm_source=news-letter')
})

test('shows what is wrong at its input instead of a URL that would not be reached', async () => {
  await settings.set({ naming: { lowerCase: false, spaces: null, sources: [], mediums: [] } })
  await openUtm()
  expect(texts(ana.modal())).toContain('Fill in the destination, then press _Show_.')
  ana.fills({ Destination: 'no link', 'UTM source': 'slack' })
  await ana.presses('Show')
  await ana.seesModal('“no link” isn’t a link.')
  expect(texts(ana.modal())).toContain(
    'Correct the inputs that have a warning above, then press _Show_.',
  )
  expect(shownUrl()).toBeUndefined()
  ana.fills({ Destination: 'https://example.com/?utm_source=' })
  await ana.presses('Show')
  await ana.seesModal('The link already has utm_source=, which takes precedence.')
  expect(shownUrl()).toBeUndefined()
  ana.fills({ 'UTM source': null })
  await ana.presses('Show')
  expect(await until(shownUrl)).toBe('https://example.com/?utm_source=')
  expect(texts(ana.modal())).not.toContain('takes precedence')
  ana.fills({ Destination: 'https://example.com/other' })
  await ana.presses('Update')
  await until(() => shownUrl() === 'https://example.com/other')
})

test('the form that edits a link shows where it leads now', async () => {
  await ana.asks('/shorten https://example.com/edited?a=1 edited utm_source=slack', {
    for: 'Your short link',
  })
  await ana.opens('/shorten edit edited')
  await ana.seesModal('example.com/edited')
  expect(shownUrl()).toBe('https://example.com/edited?a=1&utm_source=slack')
})

test('shows all errors of a submitted form at once: of naming rules, fields, limits and the image', async () => {
  await settings.set({ naming: { lowerCase: true, spaces: null, sources: [], mediums: [] } })
  await openUtm()
  ana.fills({
    Destination: 'https://example.com/all',
    'Back-half': 'not one',
    'QR color': 'pale',
    'UTM source': 'TV',
    Title: 'x'.repeat(201),
  })
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
  ana.uploads('Preview image', { name: 'card.png', bytes: Buffer.from('hello') })
  await ana.submits()
  await ana.seesModal('naming rules')
  for (const error of [
    'UTM source: TV → tv.',
    ':warning: Use at most 100 characters: letters',
    ':warning: Write the color as #RRGGBB',
    ':warning: Use at most 200 characters.',
    ':warning: “card.png” isn’t the kind of file',
  ]) {
    expect(texts(ana.modal())).toContain(error)
  }
})
