import { ALL_OFFERS } from '../../support/offers-document.ts'
import type { ModalView } from '@slack/types'
import { expect } from 'vitest'
import { fieldsOfKind, FIELD_SPECS, without } from '../../../src/contract/link-fields.ts'
import { parseCommandText } from '../../../src/slack/shorten/shorten-command.ts'
import { DRAFT_FIELDS, DRAFT_TEXTS } from '../../../src/slack/shorten/draft.ts'
import { helpTopics } from '../../../src/slack/shorten/help.ts'
import { withApp } from '../../support/fixtures.ts'
import { createFakeClock } from '../../support/platform.ts'

/*
 * Whatever the table of fields has, users can fill in: in the form, in the form that edits a link, and in the command.
 */

const { test, ana, until } = withApp({ clock: createFakeClock() })

/** Fields whose inputs take any text. */
const TYPED = without(DRAFT_TEXTS, fieldsOfKind('domain', 'instant'))

/** @param round 1 or 2, for different values */
function valueOf(name: (typeof TYPED)[number], round: number): string {
  const { kind } = FIELD_SPECS[name]
  if (kind === 'url') return `https://example.com/every-field/${round}`
  if (kind === 'back_half') return `every-field-${round}`
  if (kind === 'color') return `#12345${round}`
  return `The ${name} ${round}`
}

const values = (round: number): Record<string, string> =>
  Object.fromEntries(TYPED.map((name) => [name, valueOf(name, round)]))

test('the form creates a link with every field, and the form that edits it changes every field', async () => {
  // A list waits until the app knows which of our fields the link service takes.
  await ana.types('/shorten list', { in: 'general' })
  await until(() => ana.newest('general'))
  await ana.opens('/shorten')
  await ana.presses('Add UTM parameters')
  await ana.seesModal('utm_source')
  await ana.presses('Add a custom preview')
  await ana.seesModal('preview_title')
  const { blocks } = ana.modal()?.view as unknown as ModalView
  const inputs = blocks.filter(({ type }) => type === 'input').map((block) => block.block_id)
  expect(inputs).toEqual(without(DRAFT_FIELDS, fieldsOfKind('domain'))) // There is only one.
  ana.fills(values(1))
  await ana.submits()

  const made = await ana.gets('link_menu')
  await ana.chooses('Edit', { in: 'general', message: made, of: 'link_menu' })
  await until(() => ana.modal()?.view['callback_id'] === 'edit_form')
  expect(ana.form()).toMatchObject(values(1))
  ana.fills(values(2))
  await ana.submits()
  await ana.gets(`You changed: ${TYPED.map((name) => FIELD_SPECS[name].label).join(', ')}.`)
  expect(ana.modal()).toBeUndefined()
})

test('the command has each option, and the help names it', () => {
  const help = JSON.stringify(helpTopics(ALL_OFFERS))
  for (const name of DRAFT_FIELDS) {
    const { option, kind } = FIELD_SPECS[name]
    if (option === undefined) continue
    const isFlag = kind === 'flag'
    const { draft } = parseCommandText(
      `https://example.com ${option}=${isFlag ? 'off' : '"Ask Ana"'}`,
    )
    expect(draft[name]).toBe(isFlag ? false : 'Ask Ana')
    expect(help).toContain(`\`${option}=`)
  }
})
