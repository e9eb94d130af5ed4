import { expect, test } from 'vitest'
import { parseShortenText } from '../../../src/slack/input/shorten-text.ts'
import { SlackInputError, type Fault } from '../../../src/slack/input/slack-input-error.ts'

function faultsOf(text: string): readonly Fault[] {
  try {
    parseShortenText(text)
  } catch (error) {
    if (error instanceof SlackInputError) return error.faults
    throw error
  }
  return []
}

test('a link alone', () => {
  expect(parseShortenText('https://example.com/a?b=c&d=e#f')).toEqual({
    destination_url: 'https://example.com/a?b=c&d=e#f',
  })
})

test('a link, a back-half and every option, in any order', () => {
  expect(
    parseShortenText(
      'title="Spring sale" https://example.com/page spring domain=go.example.com color=#1F4F46 ' +
        'utm_source=newsletter utm_medium=email utm_campaign=“spring sale” utm_term=shoes utm_content=top utm_id=7 template=“The newsletter” qr=on',
    ),
  ).toEqual({
    destination_url: 'https://example.com/page',
    back_half: 'spring',
    title: 'Spring sale',
    domain: 'go.example.com',
    qr_code_color: '#1F4F46',
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'spring sale',
    utm_term: 'shoes',
    utm_content: 'top',
    utm_id: '7',
    template: 'The newsletter',
    qr_code_enabled: true,
  })
})

test('without qr= nothing is said of a QR code, so that the settings decide', () => {
  expect(parseShortenText('https://example.com color=#1F4F46')).toEqual({
    destination_url: 'https://example.com',
    qr_code_color: '#1F4F46',
  })
})

test('qr=off turns the QR code off, an empty option is left out', () => {
  expect(parseShortenText('https://example.com qr=off title=')).toEqual({
    destination_url: 'https://example.com',
    qr_code_enabled: false,
  })
})

test('a link in the angle brackets of Slack is unwrapped', () => {
  expect(parseShortenText('<https://example.com/x|example.com/x>').destination_url).toBe(
    'https://example.com/x',
  )
})

test('everything that was not understood is named at once', () => {
  expect(faultsOf('https://example.com promo some more utm_capaign=x qr=maybe')).toEqual([
    { message: expect.stringContaining('“utm_capaign”') as string },
    { field: 'qr_code_enabled', message: 'Write qr=on or qr=off.' },
    { message: expect.stringContaining('“some”, “more”') as string },
  ])
})

test('options without a link are not enough', () => {
  expect(faultsOf('title=x')).toEqual([
    { field: 'destination_url', message: 'Give the link that you want to shorten.' },
  ])
})

test('a word that got lost does not become the back-half', () => {
  expect(faultsOf('https://example.com title=Spring sale')).toEqual([
    { message: expect.stringContaining('“sale”. Put text with spaces in quotes') as string },
  ])
})

test('an option that stands twice is said to', () => {
  expect(faultsOf('https://example.com title=a title=b')).toEqual([
    { field: 'title', message: 'It stands twice. Write it once.' },
  ])
})

test('several links are no link with a back-half: the words say how they are shortened', () => {
  expect(faultsOf('https://example.com/a HTTPS://example.com/b <https://example.com/c|c>')).toEqual(
    [
      {
        message:
          'These are 3 links, and a command takes one. Post them as a message, and choose “Shorten this link” from its menu: that takes them all.',
      },
    ],
  )
})
