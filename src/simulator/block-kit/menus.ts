import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  appId,
  confirm,
  conversationFilter,
  listedOption,
  menuOption,
  optionGroup,
  overflowOption,
  placeholder,
} from './composition.ts'

const base = { action_id: appId.optional() }
const chosen = { ...base, confirm: confirm.optional(), focus_on_load: z.boolean().optional() }
const menu = { ...chosen, placeholder: placeholder.optional() }
const several = { ...menu, max_selected_items: z.int().min(1).optional() }

const staticOptions = {
  options: z.array(menuOption).min(1).max(100).optional(),
  option_groups: z.array(optionGroup).min(1).max(100).optional(),
}

interface Choices {
  options?: unknown[] | undefined
  option_groups?: { options: unknown[] }[] | undefined
  initial_option?: unknown
  initial_options?: unknown[] | undefined
}

/** An initial choice must be one of the choices, to the letter. */
function initialIsOffered(element: Choices): boolean {
  const offered = [
    ...(element.options ?? []),
    ...(element.option_groups ?? []).flatMap(({ options }) => options),
  ]
  const initial = [
    ...(element.initial_option === undefined ? [] : [element.initial_option]),
    ...(element.initial_options ?? []),
  ]
  return initial.every((one) => offered.some((option) => isDeepStrictEqual(option, one)))
}

const INITIAL = 'initial option(s) must match one of the options'

function hasOneList(element: Choices): boolean {
  return (element.options === undefined) !== (element.option_groups === undefined)
}

const ONE_LIST = 'must define either `options` or `option_groups`'

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...menu,
    ...staticOptions,
    initial_option: menuOption.optional(),
  })
  .refine(hasOneList, ONE_LIST)
  .refine(initialIsOffered, INITIAL)

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...several,
    ...staticOptions,
    initial_options: z.array(menuOption).min(1).max(100).optional(),
  })
  .refine(hasOneList, ONE_LIST)
  .refine(initialIsOffered, INITIAL)

const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    ...chosen,
    options: z.array(listedOption).min(1).max(10),
    initial_option: listedOption.optional(),
  })
  .refine(initialIsOffered, INITIAL)

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...chosen,
    options: z.array(listedOption).min(1).max(10),
    initial_options: z.array(listedOption).min(1).max(10).optional(),
  })
  .refine(initialIsOffered, INITIAL)

/** Answers through a response_url of the conversation that is chosen: inputs of modals only. */
const respondable = { response_url_enabled: z.boolean().optional() }

const conversations = {
  default_to_current_conversation: z.boolean().optional(),
  filter: conversationFilter.optional(),
}

/** Elements that choose among something: they stand in sections, actions and inputs alike. */
export const menus = [
  staticSelect,
  multiStaticSelect,
  radioButtons,
  checkboxes,
  z.strictObject({
    type: z.literal('conversations_select'),
    ...menu,
    ...conversations,
    ...respondable,
    initial_conversation: appId.optional(),
  }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...several,
    ...conversations,
    initial_conversations: z.array(appId).min(1).optional(),
  }),
  z.strictObject({
    type: z.literal('channels_select'),
    ...menu,
    ...respondable,
    initial_channel: appId.optional(),
  }),
  z.strictObject({
    type: z.literal('users_select'),
    ...menu,
    initial_user: appId.optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...several,
    initial_users: z.array(appId).min(1).optional(),
  }),
  z.strictObject({
    type: z.literal('datepicker'),
    ...menu,
    initial_date: z.iso.date().optional(),
  }),
  z.strictObject({
    type: z.literal('timepicker'),
    ...menu,
    initial_time: z.iso.time({ precision: -1 }).optional(),
    timezone: z.string().min(1).optional(),
  }),
] as const

export const overflow = z.strictObject({
  type: z.literal('overflow'),
  ...base,
  confirm: confirm.optional(),
  options: z.array(overflowOption).min(1).max(5),
})
