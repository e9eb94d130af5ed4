import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import type { ComponentChildren } from 'preact'
import { html, renderPart } from '../../web/layout.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { addSecurityHeaders } from '../../web/send-page.ts'
import { renderDashboardPage } from './page.ts'

const MARK = 'the-result-comes-here'

/** @param running shown until the first part with the class `result` */
export function sendStreamedPage(
  reply: FastifyReply,
  title: string,
  running: string,
  parts: AsyncIterable<string>,
): FastifyReply {
  const content = html`<div class="running">
    <p class="unfinished">${running}</p>
    ${MARK}
  </div>`
  const { html: document, policy } = renderDashboardPage(reply, { title, content })
  addSecurityHeaders(reply, policy)
  async function* all(): AsyncGenerator<string, void> {
    // The header, with names that people chose, comes first.
    const at = document.lastIndexOf(MARK)
    yield document.slice(0, at)
    yield* parts
    yield document.slice(at + MARK.length)
  }
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(Readable.from(all(), { objectMode: false }))
}

export function progressPart(done: number, total: number, unit: string): string {
  return renderPart(
    html`<div class="progress">
      <progress max=${total} value=${done} aria-label="Progress"></progress>
      ${` ${formatNumber(done)} of ${formatCount(total, unit)}`}
    </div>`,
  )
}

export const resultPart = (content: ComponentChildren, csrf?: string): string =>
  renderPart(html`<div class="result">${content}</div>`, csrf)
