import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What axe finds wrong with a page as it is, contrast included. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    'axe.run()',
  )
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** How far a page is wider than its window, in pixels. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
}

/** Words that run into the code or link after them, for want of a space. */
export async function gluedWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('p code, p a')]
      .filter(({ previousSibling }) => /[\\p{L},:]$/u.test(previousSibling?.textContent ?? ''))
      .map((element) => element.parentElement.textContent)`)
}
