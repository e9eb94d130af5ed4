import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { defineLayout, html } from '../../src/web/pages.ts'

const hashOf = (source = ''): string =>
  `'sha256-${createHash('sha256').update(source).digest('base64')}'`

test('renders a whole document, with texts as text', () => {
  const { html: document } = defineLayout({ width: 'narrow' }).render({
    title: 'a </title><script>',
    head: html`<meta name="description" content=${'"quoted"'} />`,
    content: html`<p>${'<b>'}</p>`,
  })
  expect(document).toMatch(/^<!doctype html>\n<html lang="en"><head><meta charset="utf-8"\/>/)
  expect(document).toContain('<title>a &lt;/title>&lt;script></title>')
  expect(document).toContain('<meta name="description" content="&quot;quoted&quot;"/>')
  expect(document).toContain('<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>')
  expect(document).toMatch(/<body><main><p>&lt;b><\/p><\/main><\/body><\/html>\n$/)
})

test.each(['narrow', 'wide'] as const)('the policy of a %s page allows only its style', (width) => {
  const layout = defineLayout({ width, css: '.own { color: red > blue }' })
  const { html: document, policy } = layout.render({ title: '', content: '' })
  const style = /<style>(.*)<\/style>/s.exec(document)?.[1]
  expect(style).toContain('.own { color: red > blue }')
  expect(policy.contentSecurityPolicy.directives).toEqual({
    'default-src': ["'none'"],
    'style-src': [hashOf(style)],
    'img-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  expect(layout.policy).toEqual(policy)
})

test('the policy allows the script of the page, and forms if the layout has them', () => {
  const layout = defineLayout({ width: 'wide', forms: true })
  const script = 'alert("<&>")'
  const { html: document, policy } = layout.render({ title: '', content: '', script })
  expect(document).toContain(`<script>${script}</script></body>`)
  expect(policy.contentSecurityPolicy.directives).toMatchObject({
    'script-src': [hashOf(script)],
    'form-action': ["'self'"],
  })
  expect(layout.policy.contentSecurityPolicy.directives).not.toHaveProperty('script-src')
})

test('embeds the icon if the server has no file for it', () => {
  const layout = defineLayout({ width: 'narrow', embedIcon: true })
  const { html: document, policy } = layout.render({ title: '', content: '' })
  expect(document).toContain('<link rel="icon" href="data:image/svg+xml,%3Csvg%20')
  expect(policy.contentSecurityPolicy.directives['img-src']).toEqual(['data:'])
})
