export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --raised: #fff; --ink: #20241f; --quiet: #5d655c; --line: #dcdcd2;
  --accent: #1f4f46; --code: #f0efe8; --edge: #87907f; --danger: #a3231d;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #14181a; --raised: #1b2022; --ink: #e9ebe5; --quiet: #a2aaa3; --line: #2f3638;
    --accent: #8fd0bf; --code: #1f2527; --edge: #77807a; --danger: #ff9d94; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); }
h1 { margin: 0 0 0.75rem; font-size: clamp(1.5rem, 0.75rem + 4vw, 2.5rem); line-height: 1.15;
  letter-spacing: -0.02em; overflow-wrap: anywhere; }
p { margin: 0 0 0.75rem; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.lead { color: var(--quiet); font-size: 1.125rem; overflow-wrap: anywhere; }
small { color: var(--quiet); font-size: 0.8125rem; }
code, pre { font: 0.875rem/1.6 var(--mono); }
code { padding: 0.1em 0.35em; background: var(--code); border-radius: 4px; color: var(--ink);
  overflow-wrap: anywhere; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1.1rem; border: 0;
  border-radius: 8px; background: var(--accent); color: var(--paper); font: inherit; font-weight: 600;
  text-decoration: none; cursor: pointer; }
button:hover, .button:hover { filter: brightness(1.1); }
.logo { display: block; width: 1.75rem; height: 1.75rem; }
`

export const NARROW_STYLE = `
body { min-height: 100vh; min-height: 100svh; display: grid; place-items: center;
  padding: 2rem 1.25rem; font-size: 1.0625rem; }
main { max-width: 32rem; width: 100%; overflow-wrap: anywhere; }
.drawing { display: block; width: 12rem; max-width: 100%; margin: 0 0 1.75rem -0.2rem;
  stroke: var(--accent); }
main > .logo { width: 4rem; height: 4rem; margin: 0 0 1.5rem; }
h1 { text-wrap: balance; }
p { margin: 0 0 1rem; color: var(--quiet); }
ul, ol { margin: 0; padding: 1rem 0 0 1.25rem; border-top: 1px solid var(--line); color: var(--quiet); }
li { margin: 0.25rem 0; }
`

export const WIDE_STYLE = `
body { padding: clamp(1.25rem, 5vw, 4rem) 1.25rem; }
main { max-width: 58rem; margin: 0 auto; }
h2 { margin: 0 0 0.5rem; font-size: 1.5rem; letter-spacing: -0.01em; }
h3 { margin: 2rem 0 0.5rem; font-size: 1rem; }
section { margin-top: 3rem; padding-top: 2rem; border-top: 1px solid var(--line); }
pre { margin: 0 0 1rem; padding: 1rem; background: var(--code); border-radius: 8px; overflow-x: auto; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
table { width: 100%; margin: 1.5rem 0; border-collapse: collapse; font-size: 0.9375rem; }
caption { padding: 0 0 0.5rem; text-align: start; font-weight: 600; font-size: 1rem; }
th, td { padding: 0.6rem 1rem 0.6rem 0; text-align: start; vertical-align: top;
  border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--quiet); font-size: 0.8125rem; }
tbody th code { white-space: nowrap; }
td { overflow-wrap: anywhere; }
td:last-child { color: var(--quiet); padding-inline-end: 0; }
th small { display: block; }
@media screen and (max-width: 50rem) {
  table, tbody, tr, th[scope=row], td { display: block; }
  thead { display: none; }
  tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  th[scope=row], td { padding: 0; border: 0; }
  caption:not(.hidden) { display: block; }
}
`
