import { parse } from 'dotenv'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readVariables, VARIABLES } from '../../src/config/variables.ts'

const text = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
const settings = text.split('\n').filter((line) => /^#[A-Z]/.test(line))

test('.env.example sets nothing as it is', () => {
  expect(parse(text)).toEqual({})
})

test('.env.example has each setting once, and no others', () => {
  const names = settings.map((line) => line.slice(1, line.indexOf('=')))
  expect(names.toSorted()).toEqual(Object.keys(VARIABLES).toSorted())
})

test('the values in .env.example are valid, except secrets to fill in', () => {
  const values = Object.entries(parse(settings.map((line) => line.slice(1)).join('\n')))
  const filledIn = values.filter(([, value]) => !value.includes('…'))
  expect(filledIn.length).toBeGreaterThan(10)
  const issues: string[] = []
  readVariables(Object.fromEntries(filledIn), issues)
  expect(issues).toEqual([])
})
