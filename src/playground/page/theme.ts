import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { html, icon } from './html.ts'

const KEY = 'playground-theme'
const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const

/** Applies the theme that was chosen before, or else the system's. */
export function applyTheme(): void {
  show(remembered())
}

/** Switches from the system's theme to light, to dark, and back. */
export function ThemeToggle(): ComponentChildren {
  const [theme, setTheme] = useState(remembered)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const choose = (): void => {
    localStorage.setItem(KEY, next)
    show(next)
    setTheme(next)
  }
  const label = `Theme: ${theme}. Switch to ${next}`
  return html`<button class="icon-button" aria-label=${label} title=${label} onClick=${choose}>
    ${icon(ICONS[theme])}
  </button>`
}

function remembered(): Theme {
  const theme = localStorage.getItem(KEY)
  return THEMES.find((one) => one === theme) ?? 'system'
}

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme
}
