import { expect, test } from 'vitest'
import { isFullHostname, isPublicHostname } from '../../src/http/public-hostname.ts'

test.each([
  'go.example.com',
  'example.co',
  'a.b.c.d.example',
  'xn--mnchen-3ya.example',
  'example.xn--p1ai',
  '1and1.example',
  '3com.example2',
  `${'a'.repeat(63)}.example`,
])('“%s” is a public hostname', (text) => {
  expect([isFullHostname(text), isPublicHostname(text)]).toEqual([true, true])
})

test.each(['go.corp.internal', 'links.local', 'app.localhost'])(
  '“%s” is a full hostname, but not a public one',
  (text) => {
    expect([isFullHostname(text), isPublicHostname(text)]).toEqual([true, false])
  },
)

test.each([
  '',
  'localhost',
  'example',
  '.example.com',
  'example.com.',
  'a..example',
  'Go.Example.Com',
  'münchen.example',
  '-a.example',
  'a-.example',
  'a_b.example',
  'a b.example',
  'example.c',
  'example.123',
  '127.0.0.1',
  '[::1]',
  'https://go.example.com',
  'go.example.com/path',
  'go.example.com:8080',
  'user@example.com',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(125)}example`,
])('“%s” is not a full hostname', (text) => {
  expect([isFullHostname(text), isPublicHostname(text)]).toEqual([false, false])
})
