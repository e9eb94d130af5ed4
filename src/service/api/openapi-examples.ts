import { successEnvelope } from './shortlink.ts'

const EXAMPLE_LINK = {
  name: '019b2c4e-5a31-7c55-9d2e-3f1a7b60c2d4',
  title: 'Spring sale',
  destination_url: 'https://example.com/some/long/page',
  shortlink_url: 'https://go.example.com/spring-sale',
  tags: ['print', 'spring'],
  is_custom_preview: false,
  qr_code_enabled: true,
}

const EXAMPLE_LISTED = {
  ...EXAMPLE_LINK,
  utm_source: 'newsletter',
  enabled: true,
  created_at: '2027-03-01T12:00:00.000Z',
  updated_at: '2027-03-01T12:00:00.000Z',
  clicks: 12,
  created_by: { id: 'T0TEST-U0ANA', name: 'Ana García' },
  created_with: 'Backhalf app',
}

const EXAMPLE_DETAILED = {
  ...EXAMPLE_LISTED,
  title: 'Spring sale, extended',
  domain: 'default',
  back_half: 'spring-sale',
  expires_at: '2027-05-31T23:59:59.999Z',
  utm_analytics_enabled: true,
  qr_code_color: '#1f4f46',
}

export const REQUESTS: Partial<Record<string, object>> = {
  createShortlink: {
    destination_url: 'https://example.com/some/long/page',
    domain: 'default',
    title: 'Spring sale',
    tags: 'spring, print',
    back_half: 'spring-sale',
    utm_analytics_enabled: 'true',
    utm_source: 'newsletter',
    qr_code_enabled: 'true',
    qr_code_color: '#1f4f46',
  },
  updateShortlink: { title: 'Spring sale, extended', expires_at: '2027-05-31' },
  createSignIn: { role: 'editor', workspace: 'Example Inc.' },
}

export const RESPONSES = {
  createShortlink: successEnvelope('Shortlink created.', { shortlink: EXAMPLE_LINK }),
  getShortlinks: successEnvelope('1 shortlink in total.', {
    shortlinks: [EXAMPLE_LISTED],
    pagination: { page: 1, per_page: 10, total_items: 1, total_pages: 1 },
  }),
  getDomains: successEnvelope('2 domain records in total.', {
    domains: [
      { name: 'go', domain_name: 'go.example.com' },
      { name: 'default', domain_name: 'links.example.com' },
    ],
    pagination: { page: 1, per_page: 10, total_items: 2, total_pages: 1 },
  }),
  getTags: successEnvelope('1 tag.', { tags: [{ name: 'spring', links: 12 }] }),
  getShortlink: successEnvelope('Shortlink found.', { shortlink: EXAMPLE_DETAILED }),
  updateShortlink: successEnvelope('Shortlink updated.', { shortlink: EXAMPLE_DETAILED }),
  createSignIn: successEnvelope('Show this one-time link only to the person who signs in.', {
    url: 'https://links.example.com/dashboard/sign-in/Zk3vT0kq',
    expires_at: '2027-03-01T12:05:00.000Z',
  }),
  endSessions: successEnvelope('The sessions have ended.', {}),
  erasePerson: successEnvelope('The person was erased.', {}),
  deleteShortlink: successEnvelope('Shortlink deleted.', {}),
  getShortlinkClicks: successEnvelope('12 clicks by people from 2027-03-01 to 2027-03-02.', {
    clicks: {
      from: '2027-03-01',
      to: '2027-03-02',
      total_people: 12,
      total_bots: 3,
      all_time_people: 480,
      days: [
        { date: '2027-03-01', people: 12, bots: 2 },
        { date: '2027-03-02', people: 0, bots: 1 },
      ],
      referrers: [{ host: 'news.example.com', people: 7 }],
    },
  }),
  getReport: successEnvelope('12 clicks by people from 2027-03-01 to 2027-03-02.', {
    report: {
      from: '2027-03-01',
      to: '2027-03-02',
      previous_from: '2027-02-27',
      previous_to: '2027-02-28',
      group_by: 'utm_source',
      total_people: 12,
      previous_people: 9,
      days: [
        { date: '2027-03-01', people: 10 },
        { date: '2027-03-02', people: 2 },
      ],
      groups: [
        { name: 'newsletter', label: 'newsletter', people: 8, previous_people: 9, days: [7, 1] },
        { name: '', label: '', people: 4, previous_people: 0, days: [3, 1] },
      ],
      has_more: false,
    },
  }),
}
