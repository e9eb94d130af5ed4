import { h, render } from 'preact'
import { App } from './app.ts'
import { applyTheme } from './theme.ts'

const root = document.getElementById('app')
if (!root) throw new Error('The page has no element to stand in.')
applyTheme()
render(h(App, {}), root)
