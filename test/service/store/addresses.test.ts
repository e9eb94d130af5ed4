import { describe, expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/addresses.ts'

const link = (hostname: string) => ({ hostname, back_half: 'spring' })

describe('a public address', () => {
  const addresses = createAddresses('https://Go.Example.com/')

  test('is what short URLs of the built-in record begin with', () => {
    expect(addresses.shortUrl(link(''))).toBe('https://go.example.com/spring')
    expect(addresses.shortUrl(link('brand.example'))).toBe('https://brand.example/spring')
    expect(addresses.domainName('')).toBe('go.example.com')
  })

  test('decides by the Host whose links a request follows', () => {
    expect(addresses.hostnamesOf('GO.example.com.')).toEqual([''])
    expect(addresses.hostnamesOf('brand.example')).toEqual(['brand.example'])
    expect(addresses.hostnamesOf('127.0.0.1')).toEqual(['127.0.0.1'])
  })

  test.each([
    ['https://go.example.com/x', true],
    ['http://GO.EXAMPLE.COM./x', true],
    ['https://go.example.com:8443/x', false],
    ['https://example.com/go.example.com', false],
  ])('%s leads here: %s', (url, here) => {
    expect(addresses.leadsHere(new URL(url))).toBe(here)
  })
})

describe('a loopback address', () => {
  const addresses = createAddresses('http://localhost:3001')

  test('keeps its scheme and port in short URLs', () => {
    expect(addresses.shortUrl(link(''))).toBe('http://localhost:3001/spring')
    expect(addresses.previewImageUrl('id', 'image/svg+xml')).toBe(
      'http://localhost:3001/preview-images/id.svg',
    )
  })

  test('follows built-in links whatever the Host', () => {
    expect(addresses.hostnamesOf('anything.test')).toEqual(['anything.test', ''])
  })

  test.each([
    ['http://localhost:3001/x', true],
    ['http://127.0.0.1:3001/x', true],
    ['http://[::1]:3001/x', true],
    ['http://localhost:8080/x', false],
  ])('%s leads here: %s', (url, here) => {
    expect(addresses.leadsHere(new URL(url))).toBe(here)
  })
})
