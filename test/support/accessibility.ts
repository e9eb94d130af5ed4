import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { isFullRun } from './full-run.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * By default, axe also returns each element that passed a rule, which takes longer than the checks. WCAG 2.2 has
 * target-size, but axe leaves it out by default.
 */
const OPTIONS = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }

/** Shows placeholders as texts, because axe reads no colors of pseudo-elements, until the function it returns is called. */
const SHOW_PLACEHOLDERS = `
  const inputs = [...document.querySelectorAll(':is(input, textarea):placeholder-shown')]
  for (const input of inputs) {
    const { color, opacity } = getComputedStyle(input, '::placeholder')
    input.style.color = color.replace(')', ' / ' + opacity + ')').replaceAll(',', '')
    input.value = input.placeholder
  }
  const hide = () => {
    for (const input of inputs) {
      input.value = ''
      input.style.removeProperty('color')
    }
  }`

/** The accessibility violations that axe finds on a page, by all of its rules, including contrast. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `(() => { ${SHOW_PLACEHOLDERS}
      return axe.run(${JSON.stringify(OPTIONS)}).finally(hide) })()`,
  )
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Two phones and a desktop. */
const WIDTHS = [320, 390, 1280]

/** How the checks show a page. The last one is how tests go on. */
const WAYS = WIDTHS.flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
).slice(isFullRun ? 0 : -1)

/**
 * Lists what is wrong with a page: accessibility violations, and scrolling sideways. In a full run, the page is checked at each
 * width and in both color schemes. At the end, it is shown as on a desktop, dark.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const { width, colorScheme } of WAYS) {
    await page.setViewportSize({ width, height: 720 })
    // Without transitions, all colors change at once.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found = await accessibilityFaults(page)
    const wider = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (wider !== 0) found.push(`${wider} pixels wider than the window`)
    faults.push(...found.map((fault) => `${width} ${colorScheme}: ${fault}`))
  }
  return faults
}

/** Paragraphs in which no space separates a word from the code or link after it. */
export async function gluedWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('p code, p a')]
      .filter(({ previousSibling }) => /[\\p{L},:]$/u.test(previousSibling?.textContent ?? ''))
      .map((element) => element.parentElement.textContent)`)
}

/**
 * How the focused element is named, and whether it or the box around it shows the focus. A browser shows the focus of
 * parts of its own, such as the calendar of an input. After the last element comes the browser itself.
 */
const FOCUSED = `(() => {
  const { activeElement: element, body } = document
  const around = [element, element.parentElement, element.parentElement?.parentElement].filter(Boolean)
  const shows = (one) => {
    const { outlineStyle, boxShadow } = getComputedStyle(one)
    return outlineStyle !== 'none' || boxShadow !== 'none'
  }
  return {
    name: element === body ? '' : element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText,
    visible: element === body || !element.matches(':focus') || around.some(shows),
  }
})()`

/** Presses Tab until an element with this name has the focus. Each element on the way must show that it has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  while (passed.length < 60) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<{ name: string; visible: boolean }>(FOCUSED)
    if (!focused.visible) throw new Error(`“${focused.name}” has the focus, but doesn’t show it`)
    const found = focused.name.trim()
    if (typeof name === 'string' ? found === name : name.test(found)) return
    passed.push(found)
  }
  throw new Error(`Tab doesn't reach ${String(name)}, only: ${passed.join(', ')}`)
}
