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
const choice = { ...base, confirm: confirm.optional(), focus_on_load: z.boolean().optional() }
const menu = { ...choice, placeholder: placeholder.optional() }
const multiple = { ...menu, max_selected_items: z.int().min(1).optional() }

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

/** An initial option must equal one of the options exactly. */
function initialIsAnOption(element: Choices): boolean {
  const options = [
    ...(element.options ?? []),
    ...(element.option_groups ?? []).flatMap(({ options }) => options),
  ]
  const initial = [
    ...(element.initial_option === undefined ? [] : [element.initial_option]),
    ...(element.initial_options ?? []),
  ]
  return initial.every((one) => options.some((option) => isDeepStrictEqual(option, one)))
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
  .refine(initialIsAnOption, INITIAL)

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...multiple,
    ...staticOptions,
    initial_options: z.array(menuOption).min(1).max(100).optional(),
  })
  .refine(hasOneList, ONE_LIST)
  .refine(initialIsAnOption, INITIAL)

const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    ...choice,
    options: z.array(listedOption).min(1).max(10),
    initial_option: listedOption.optional(),
  })
  .refine(initialIsAnOption, INITIAL)

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...choice,
    options: z.array(listedOption).min(1).max(10),
    initial_options: z.array(listedOption).min(1).max(10).optional(),
  })
  .refine(initialIsAnOption, INITIAL)

/** Gives the app a response_url for the selected conversation; only in inputs of modals. */
const respondable = { response_url_enabled: z.boolean().optional() }

const conversations = {
  default_to_current_conversation: z.boolean().optional(),
  filter: conversationFilter.optional(),
}

/** Menus, which sections, actions and inputs all accept. */
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
    ...multiple,
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
    ...multiple,
    initial_users: z.array(appId).min(1).optional(),
  }),
  z.strictObject({
    type: z.literal('datepicker'),
    ...menu,
    initial_date: z.iso.date().optional(),
  }),
  z.strictObject({
    type: z.literal('datetimepicker'),
    ...choice,
    // Seconds since 1970, of ten digits.
    initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
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
