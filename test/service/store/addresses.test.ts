import { describe, expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'

const link = (hostname: string) => ({ hostname, back_half: 'spring' })

describe('with a public URL', () => {
  const addresses = createAddresses('https://Go.Example.com/')

  test('short URLs of the built-in record start with it', () => {
    expect(addresses.shortUrl(link(''))).toBe('https://go.example.com/spring')
    expect(addresses.shortUrl(link('brand.example'))).toBe('https://brand.example/spring')
  })

  test('the Host decides which links a request reaches', () => {
    expect(addresses.hostnamesFor('GO.example.com.')).toEqual([''])
    expect(addresses.hostnamesFor('brand.example')).toEqual(['brand.example'])
    expect(addresses.hostnamesFor('127.0.0.1')).toEqual(['127.0.0.1'])
  })
})

describe('with a loopback URL', () => {
  const addresses = createAddresses('http://localhost:3001')

  test('short URLs keep its scheme and port', () => {
    expect(addresses.shortUrl(link(''))).toBe('http://localhost:3001/spring')
    expect(addresses.previewImageUrl({ id: 'id', revision: 1 }, 'image/svg+xml')).toBe(
      'http://localhost:3001/preview-images/id.svg',
    )
  })

  test('every Host reaches the built-in links', () => {
    expect(addresses.hostnamesFor('anything.test')).toEqual(['anything.test', ''])
  })
})

test.each([
  ['https://Go.Example.com/', 'https://go.example.com/x', true],
  ['https://Go.Example.com/', 'http://GO.EXAMPLE.COM./x', true],
  ['https://Go.Example.com/', 'https://go.example.com:8443/x', false],
  ['https://Go.Example.com/', 'https://example.com/go.example.com', false],
  ['http://localhost:3001', 'http://localhost:3001/x', true],
  ['http://localhost:3001', 'http://127.0.0.1:3001/x', true],
  ['http://localhost:3001', 'http://[::1]:3001/x', true],
  ['http://localhost:3001', 'http://localhost:8080/x', false],
])('with the public URL %s, %s is on the service: %s', (publicUrl, url, isOwn) => {
  expect(createAddresses(publicUrl).isOwnUrl(new URL(url))).toBe(isOwn)
})
