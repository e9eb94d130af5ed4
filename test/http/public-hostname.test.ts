import { expect, test } from 'vitest'
import {
  isFullHostname,
  isPrivateAddress,
  isPublicHostname,
} from '../../src/http/public-hostname.ts'

test.each([
  'go.example.com',
  'a.b.c.d.example',
  'example.co',
  'xn--mnchen-3ya.example',
  'example.xn--p1ai',
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
  '.example.com',
  'example.com.',
  'a..example',
  'Go.Example.Com',
  'a_b.example',
  '-a.example',
  'a-.example',
  'example.c',
  'example.123',
  'go.example.com:8080',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(125)}example`,
])('“%s” is not a full hostname', (text) => {
  expect([isFullHostname(text), isPublicHostname(text)]).toEqual([false, false])
})

test.each([
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['100.64.0.1', true],
  ['169.254.1.1', true],
  ['203.0.113.7', false],
  ['::1', true],
  ['fd00::1', true],
  ['::ffff:192.168.0.1', true],
  ['2606:4700::1', false],
])('whether %s is private: %s', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected)
})
