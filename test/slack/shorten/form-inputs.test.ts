import type { StaticSelect } from '@slack/types'
import { expect, test } from 'vitest'
import { domainValue } from '../../../src/slack/shorten/create-request.ts'
import { domainInput, utmInputs } from '../../../src/slack/shorten/form-inputs.ts'

const host = `${'a.'.repeat(125)}com`
const long = (end: string) => ({ name: `${'x'.repeat(90)}${end}`, domain_name: host })
const domains = [{ name: 'dom_1', domain_name: 'Go.Example.com' }, long('1'), long('2')]

test('cuts a long hostname in the menu and still selects the right record', () => {
  expect(domainInput(domains[2]?.name, domains)).toMatchObject({
    element: {
      options: domains.map((record, index) => ({ value: domainValue(record, index) })),
      initial_option: { value: domainValue(long('2'), 2) },
    },
  })
})

test('lists at most 100 domains, as many as a menu holds', () => {
  const many = Array.from({ length: 101 }, (_, index) => ({
    name: `dom_${index}`,
    domain_name: `${index}.example.com`,
  }))
  const { element } = domainInput('dom_100', many)
  const { options, initial_option } = element as StaticSelect
  expect(options).toHaveLength(100)
  expect(initial_option?.value).toBe('dom_0')
})

test('asks for each UTM parameter, in a menu if its values are listed', () => {
  const [heading, source, medium] = utmInputs(
    { utm_source: 'poster', utm_medium: 'print' },
    {
      fillCount: 2,
      presets: [{ key: 'k1', label: 'Newsletter' }],
      allowed: (name) => (name === 'utm_source' ? ['poster', 'tv'] : []),
    },
  )
  expect(heading).toMatchObject({
    text: { text: '*UTM parameters*' },
    block_id: 'fill_in_utm~2',
    accessory: {
      action_id: 'fill_in_utm',
      placeholder: { text: 'Fill in from…' },
      options: [{ text: { text: 'Newsletter' }, value: 'k1' }],
    },
  })
  expect(source).toMatchObject({
    block_id: 'utm_source~2',
    element: {
      type: 'static_select',
      options: [{ value: 'poster' }, { value: 'tv' }],
      initial_option: { value: 'poster' },
    },
  })
  expect(medium).toMatchObject({
    block_id: 'utm_medium~2',
    element: { type: 'plain_text_input', initial_value: 'print' },
  })
})

test('has no menu of presets if there are none', () => {
  const [heading] = utmInputs({}, { fillCount: 0, presets: [], allowed: () => [] })
  expect(heading).toEqual({ type: 'section', text: { type: 'mrkdwn', text: '*UTM parameters*' } })
})
