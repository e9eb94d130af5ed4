import { expect, test } from 'vitest'
import { isOnDomain } from '../../src/workspaces/connection.ts'

test.each([
  ['https://go.example.com/x', 'go.example.com', true],
  ['http://go.example.com:8080/x', 'go.example.com', true],
  ['https://GO.example.com/x', 'Go.Example.com', true],
  ['http://localhost:3001/x', 'localhost:3001', true],
  ['http://localhost:3000/x', 'localhost:3001', false],
  ['https://example.com/x', 'go.example.com', false],
  ['https://go.example.com.evil.example/x', 'go.example.com', false],
  ['https://go.example.com/x', 'not a hostname', false],
])('finds that %s is on the domain %s: %s', (url, hostname, expected) => {
  expect(isOnDomain(new URL(url), { name: 'dom_1', domain_name: hostname })).toBe(expected)
})
