interface StoredData {
  what: string
  /** By table: the columns that can name a person, contain what a person typed, or authenticate a person. */
  columns: Readonly<Record<string, string>>
  why: string
  kept: string
  seenBy: string
}

const UNTIL_UNINSTALLED = 'until the app is uninstalled'
const WORKSPACE = 'people in the workspace, as its permissions allow'

const BY_APP: readonly StoredData[] = [
  {
    what: 'The workspace’s token, its name, and who installed the app',
    columns: { installations: 'sealed installed_by' },
    why: 'to answer the workspace in Slack',
    kept: UNTIL_UNINSTALLED,
    seenBy: 'only the operator; the token is encrypted',
  },
  {
    what: 'The API key of the link service, and who connected it',
    columns: { workspace_connections: 'sealed connected_by' },
    why: 'to create and read links for the workspace',
    kept: 'until an admin disconnects the workspace or uninstalls the app',
    seenBy: 'only the operator; the key is encrypted, and admins see how it ends',
  },
  {
    what: 'The settings that admins choose, and who changed them last',
    columns: { workspace_settings: 'settings updated_by' },
    why: 'to apply the workspace’s rules, and to say who set up a report',
    kept: UNTIL_UNINSTALLED,
    seenBy: 'admins; people in the workspace see UTM templates, and who set up a report',
  },
  {
    what: 'The UTM values that a person used last',
    columns: { recent_utm: 'user_id utm', home_tabs: 'user_id' },
    why: 'to fill in the form',
    kept: UNTIL_UNINSTALLED,
    seenBy: 'this person',
  },
  {
    what: 'Links created in Slack: destination, title, preview, and the ID of the person',
    columns: {
      made_links:
        'short_url destination_url title made_by link_name preview_title preview_description preview_image_url',
    },
    why: 'to show cards below posted links, to remind people, and to know who can change them',
    kept: UNTIL_UNINSTALLED,
    seenBy: WORKSPACE,
  },
  {
    what: 'Alerts about links',
    columns: { alerts: 'created_by alert memory' },
    why: 'to send the messages that a person asked for',
    kept: 'until the alert is stopped, or the app is uninstalled',
    seenBy: 'this person, admins, and the channel of the alert',
  },
  {
    what: 'Requests for links that approvers have to allow',
    columns: { link_approvals: 'requested_by draft' },
    why: 'to create the link once it is approved',
    kept: 'until the decision, at most 14 days',
    seenBy: 'the approvers',
  },
  {
    what: 'Files of links that are being imported',
    columns: {
      imports: 'created_by file_name message',
      import_rows: 'draft outcome',
    },
    why: 'to create the links, also after a restart',
    kept: 'until the result is sent',
    seenBy: 'the person who imports them, and the thread of the message with the file',
  },
]

const BY_SERVICE: readonly StoredData[] = [
  {
    what: 'Links: short URL, destination, title, tags, UTM values, preview, and who created them',
    columns: {
      links:
        'back_half destination_url title tags person_id person_name utm_source utm_medium utm_campaign utm_term utm_content utm_id preview_title preview_description search_text sort_title',
      tag_sets: 'tags key name',
      segments: 'person_id tags utm_campaign utm_source utm_medium',
      preview_images: 'bytes',
      search_index: 'texts',
    },
    why: 'to redirect visitors, to list links, and to report on them',
    kept: 'until the link is deleted; its short URL stays, and the name of its creator until the operator erases it',
    seenBy:
      'people with access to the workspace’s links; visitors of a link see its destination and preview',
  },
  {
    what: 'What was changed in links, where they led before, and who changed them',
    columns: {
      link_history: 'changes person_id person_name',
      link_destinations: 'destination_url person_id person_name',
    },
    why: 'so that changes can be explained and mistakes undone',
    kept: 'the last 1,000 changes of a link, unless the operator erases older ones; earlier destinations of a deleted link for 90 days',
    seenBy: 'people with access to the workspace’s links; earlier destinations only administrators',
  },
  {
    what: 'Sessions of the dashboard, and who signed in',
    columns: { dashboard_tokens: 'hash person_id person_name workspace' },
    why: 'to let people in, and to show who has signed in',
    kept: '30 days',
    seenBy: 'admins; tokens are stored only as hashes',
  },
  {
    what: 'The names of workspaces, API keys and domains, and the administrator’s password',
    columns: {
      owners: 'name external_id',
      api_keys: 'name description hash prefix destinations',
      domains: 'domain_name home_url not_found_url',
      dashboard_passwords: 'hash',
    },
    why: 'to know whose links they are, and who can use them',
    kept: 'as long as Backhalf is installed',
    seenBy: 'admins; keys and the password are stored only as hashes',
  },
  {
    what: 'The response to a request that created a link',
    columns: { idempotent_answers: 'idempotency_key answer' },
    why: 'so that a repeated request creates no second link',
    kept: '24 hours, and until the next night',
    seenBy: 'the operator',
  },
  {
    what: 'How often a link was clicked on each day, and on which sites. Nothing about the visitors',
    columns: { clicks: 'people bots', referrers: 'host people' },
    why: 'to show how links do',
    kept: 'as long as the link, or the number of days that the operator sets; the total as long as the link',
    seenBy: 'people with access to the workspace’s links',
  },
]

/**
 * The personal data that the app and the link service store, for the privacy page and docs/privacy.md. A test compares
 * the lists with the columns of both databases.
 */
export const STORED_DATA = { app: BY_APP, service: BY_SERVICE }
