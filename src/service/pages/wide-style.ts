/** The style of pages with much on them: the description of the interface. */
export const WIDE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --raised: #fff; --ink: #20241f; --quiet: #5d655c; --line: #dcdcd2;
  --accent: #1f4f46; --code: #f0efe8;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181a; --raised: #1b2022; --ink: #e9ebe5; --quiet: #a2aaa3; --line: #2f3638;
    --accent: #8fd0bf; --code: #1f2527; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(1.25rem, 5vw, 4rem) 1.25rem; background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 58rem; margin: 0 auto; }
h1 { margin: 0 0 0.5rem; font-size: clamp(1.75rem, 5vw, 2.5rem); line-height: 1.15;
  letter-spacing: -0.02em; }
h2 { margin: 0 0 0.5rem; font-size: 1.5rem; letter-spacing: -0.01em; }
h3 { margin: 2rem 0 0.5rem; font-size: 1rem; }
p { margin: 0 0 0.75rem; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.lead { color: var(--quiet); font-size: 1.125rem; }
section { margin-top: 3rem; padding-top: 2rem; border-top: 1px solid var(--line); }
code, pre { font: 0.875rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { padding: 0.1em 0.35em; background: var(--code); border-radius: 4px;
  overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: 1rem; background: var(--code); border-radius: 8px;
  overflow-x: auto; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
.operation { display: inline-block; padding: 0.4em 0.7em; }
.operation b { color: var(--accent); }
table { width: 100%; margin: 1.5rem 0; border-collapse: collapse; font-size: 0.9375rem; }
caption { padding: 0 0 0.5rem; text-align: start; font-weight: 600; font-size: 1rem; }
th, td { padding: 0.6rem 1rem 0.6rem 0; text-align: start; vertical-align: top;
  border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--quiet); font-size: 0.8125rem; }
tbody th code { white-space: nowrap; }
td { overflow-wrap: anywhere; }
td:last-child { color: var(--quiet); padding-inline-end: 0; }
th small { display: block; color: var(--quiet); }
.answer { display: grid; grid-template-columns: 4rem 1fr; padding: 0.75rem 0 0;
  border-top: 1px solid var(--line); }
.answer > div { min-width: 0; }
.status { font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) {
  table, tbody, tr, th[scope=row], td { display: block; }
  thead { display: none; }
  tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  th[scope=row], td { padding: 0; border: 0; }
  .answer { grid-template-columns: 1fr; }
}
`
