/**
 * Every name that Slack sends back to us, each written once. manifest.yml names the command and
 * the shortcuts too; a test compares the two.
 */

export const COMMAND = '/shorten'

export const GLOBAL_SHORTCUT = 'shorten_link'
export const MESSAGE_SHORTCUT = 'shorten_message_links'

/** The step in Workflow Builder; its inputs are named as the create request's fields. */
export const WORKFLOW_STEP = 'shorten_link'

/** What the step hands on. */
export const STEP_OUTPUTS = {
  shortUrl: 'short_url',
  /** Where the QR code's picture is; only one of the two is there. */
  qrAddress: 'qr_code_url',
  qrFile: 'qr_code_file',
} as const

/** Events of Slack's that the app listens to. */
export const EVENTS = {
  homeOpened: 'app_home_opened',
  uninstalled: 'app_uninstalled',
  tokensRevoked: 'tokens_revoked',
  linkShared: 'link_shared',
  stepExecuted: 'function_executed',
} as const

export const VIEWS = {
  shorten: 'shorten_form',
  /** Which of a message's links are to be shortened. */
  checklist: 'checklist_form',
  /** What a form turns into whose link is there already. */
  alreadyShortened: 'already_shortened',
  connect: 'connect_form',
  share: 'share_form',
  settings: 'settings',
  settingsDomains: 'settings_domains',
  settingsQr: 'settings_qr',
  settingsTemplates: 'settings_templates',
  settingsTemplate: 'settings_template',
  settingsDeleteTemplate: 'settings_delete_template',
  settingsNaming: 'settings_naming',
  settingsMayShorten: 'settings_may_shorten',
  disconnect: 'disconnect_form',
  /** A view that only tells something: nothing to submit. */
  notice: 'notice',
} as const

export const ACTIONS = {
  openForm: 'open_shorten_form',
  revealUtm: 'reveal_utm',
  revealPreview: 'reveal_preview',
  fillUtm: 'fill_in_utm',
  removeImage: 'remove_preview_image',
  tickLink: 'tick_link',
  useExisting: 'use_existing_link',
  changeForm: 'change_shorten_form',
  changeCommand: 'change_shorten_command',
  shareLink: 'share_link',
  showQr: 'show_qr',
  listPrevious: 'list_previous',
  listNext: 'list_next',
  listSort: 'list_sort',
  linkMenu: 'link_menu',
  openConnect: 'open_connect',
  drawHomeAgain: 'draw_home_again',
  openSettings: 'open_settings',
  editDomains: 'edit_domains',
  editQr: 'edit_qr',
  editTemplates: 'edit_templates',
  addTemplate: 'add_template',
  templateMenu: 'template_menu',
  editNaming: 'edit_naming',
  editMayShorten: 'edit_may_shorten',
  reconnect: 'reconnect',
  disconnect: 'disconnect',
  connectAgain: 'connect_again',
} as const

/** The one action_id of an input block: its block_id says which input it is. */
export const INPUT = 'input'

/**
 * Blocks of the shorten form that are not named for a field of the create request. The others
 * are: block_id `back_half` holds `back_half`, so a fault finds its way to its field.
 */
export const SHORTEN_BLOCKS = {
  conversation: 'conversation',
} as const

/** Begins the block_id of a link in the checklist; its number follows. */
export const CHECKLIST_BLOCK_PREFIX = 'checklist:'

/** What the menu of a listed link offers; an option's value is one of these, a colon and a key. */
export const LINK_MENU = { qr: 'qr', share: 'share', copy: 'copy' } as const

/** Begins the block_id of a listed link: `link:INDEX:POSITION`, where it stands in the list. */
export const LINK_BLOCK_PREFIX = 'link:'

export const SHARE_BLOCKS = {
  conversation: 'share_in',
} as const

export const CONNECT_BLOCKS = {
  apiKey: 'api_key',
} as const

/** Inputs of one thing a line; `domains_2` is the second input, where one is too short. */
export const LINES_BLOCKS = {
  domains: 'domains',
  sources: 'allowed_sources',
  mediums: 'allowed_mediums',
} as const

/** Blocks of the settings forms, besides those that are named for a field of the create request. */
export const SETTINGS_BLOCKS = {
  defaultDomain: 'default_domain',
  templateName: 'template_name',
  lowerCase: 'lower_case',
  spaces: 'spaces',
  mayShorten: 'may_shorten',
} as const

/** What the menu of a UTM template offers; its block_id names the template. */
export const TEMPLATE_MENU = { edit: 'edit', delete: 'delete' } as const

export const TEMPLATE_BLOCK_PREFIX = 'template:'
