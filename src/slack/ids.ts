/**
 * Every identifier that Slack sends back to the app. Never change a value: the buttons of old messages would stop
 * working. A test checks that manifest.yml uses the same identifiers.
 */

export { COMMAND } from '../config/command.ts'

export const GLOBAL_SHORTCUT = 'shorten_link'
export const MESSAGE_SHORTCUT = 'shorten_message_links'
export const IMPORT_SHORTCUT = 'import_message_file'

export const WORKFLOW_STEP = 'shorten_link'

export const STEP_OUTPUTS = {
  shortUrl: 'short_url',
  // A step sets only one of these two.
  qrAddress: 'qr_code_url',
  qrFile: 'qr_code_file',
} as const

export const EVENTS = {
  homeOpened: 'app_home_opened',
  uninstalled: 'app_uninstalled',
  tokensRevoked: 'tokens_revoked',
  linkShared: 'link_shared',
  stepExecuted: 'function_executed',
  userChanged: 'user_change',
} as const

export const VIEWS = {
  shorten: 'shorten_form',
  checklist: 'checklist_form',
  duplicate: 'already_shortened',
  declineLink: 'decline_link',
  edit: 'edit_form',
  deleteLink: 'delete_link',
  importFile: 'import_file',
  importPreview: 'import_preview',
  connect: 'connect_form',
  search: 'search_form',
  share: 'share_form',
  settings: 'settings',
  settingsPickDomains: 'settings_pick_domains',
  settingsQr: 'settings_qr',
  settingsTemplates: 'settings_templates',
  settingsTemplate: 'settings_template',
  settingsDeleteTemplate: 'settings_delete_template',
  settingsNaming: 'settings_naming',
  settingsDestinations: 'settings_destinations',
  settingsMayShorten: 'settings_may_shorten',
  settingsWeeklyReport: 'settings_weekly_report',
  settingsErasePerson: 'settings_erase_person',
  disconnect: 'disconnect_form',
  alerts: 'alerts',
  alert: 'alert_form',
  notice: 'notice',
} as const

export const ACTIONS = {
  openForm: 'open_shorten_form',
  revealUtm: 'reveal_utm',
  revealPreview: 'reveal_preview',
  fillUtm: 'fill_in_utm',
  showVisitedUrl: 'show_visited_url',
  removeImage: 'remove_preview_image',
  tickLink: 'tick_link',
  useDuplicate: 'use_existing_link',
  changeCommand: 'change_shorten_command',
  approveLink: 'approve_link',
  declineLink: 'decline_link',
  shareLink: 'share_link',
  shareReport: 'share_report',
  reportBy: 'report_by',
  showQr: 'show_qr',
  listPrevious: 'list_previous',
  listNext: 'list_next',
  listSort: 'list_sort',
  listFilter: 'list_filter',
  listSearch: 'list_search',
  listShowAll: 'list_show_all',
  linkMenu: 'link_menu',
  copyLink: 'copy_link',
  undoTurnOff: 'undo_turn_off',
  turnOnDuplicate: 'turn_on_existing_link',
  newAlert: 'new_alert',
  alertMenu: 'alert_menu',
  stopAlert: 'stop_alert',
  keepLink: 'keep_link',
  stopImport: 'stop_import',
  openConnect: 'open_connect',
  openDashboard: 'open_dashboard',
  dashboardLink: 'dashboard_link',
  drawHomeAgain: 'draw_home_again',
  openSettings: 'open_settings',
  editDomains: 'edit_domains',
  editQr: 'edit_qr',
  editTemplates: 'edit_templates',
  addTemplate: 'add_template',
  templateMenu: 'template_menu',
  editNaming: 'edit_naming',
  editDestinations: 'edit_destinations',
  tryDestination: 'try_destination',
  editMayShorten: 'edit_may_shorten',
  editWeeklyReport: 'edit_weekly_report',
  stopWeeklyReports: 'stop_weekly_reports',
  erasePerson: 'erase_person',
  reconnect: 'reconnect',
  disconnect: 'disconnect',
  connectAgain: 'connect_again',
  helpOptions: 'help_options',
  helpLists: 'help_lists',
  helpReports: 'help_reports',
  helpAlerts: 'help_alerts',
  helpImport: 'help_import',
  helpAdmins: 'help_admins',
} as const

/** The action_ids of a report's buttons. They differ, because Slack allows an action_id only once in a row. */
export const REPORT_PERIODS = {
  'this week': 'report_this_week',
  'last week': 'report_last_week',
  'this month': 'report_this_month',
  'last month': 'report_last_month',
  'this year': 'report_this_year',
} as const

export const REPORT_NAMES = ['report_name_1', 'report_name_2', 'report_name_3'] as const

/** The action_id of the element in every input block. The block_id names the field (block-kit/fields.ts). */
export const INPUT = 'input'

/** The choices in a link's menu. An option's value is a choice, a colon and the link's key (block-kit/link-menu.ts). */
export const LINK_MENU = {
  share: 'share',
  edit: 'edit',
  clicks: 'clicks',
  turnOff: 'off',
  turnOn: 'on',
  delete: 'delete',
} as const

export const LIST_FILTER = { all: 'all', mine: 'mine' } as const
export const TEMPLATE_MENU = { edit: 'edit', delete: 'delete' } as const
export const ALERT_MENU = { edit: 'edit', stop: 'stop' } as const

export const ALERT_BLOCK_PREFIX = 'alert:'
export const CHECKLIST_BLOCK_PREFIX = 'checklist:'
export const LIST_MENUS_PREFIX = 'list:'
export const TEMPLATE_BLOCK_PREFIX = 'template:'
/** `link:INDEX:POSITION`. POSITION is the link's place in the list, or `made` below a link that was just created. */
export const LINK_BLOCK_PREFIX = 'link:'
