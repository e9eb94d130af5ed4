import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * The accessibility violations that axe finds on a page, including contrast. By default, axe also
 * returns each element that passed a rule, which takes longer than the checks.
 *
 * @param rules only these; by default, all
 */
export async function accessibilityFaults(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // WCAG 2.2 has it, but axe leaves it out by default.
    rules: { 'target-size': { enabled: true } },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  })
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${options})`,
  )
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** By how many pixels a page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
}

/** Paragraphs in which no space separates a word from the code or link after it. */
export async function gluedWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('p code, p a')]
      .filter(({ previousSibling }) => /[\\p{L},:]$/u.test(previousSibling?.textContent ?? ''))
      .map((element) => element.parentElement.textContent)`)
}
