/** The style of pages with much on them: the description of the interface, and the dashboard. */
export const WIDE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --raised: #fff; --ink: #20241f; --quiet: #5d655c; --line: #dcdcd2;
  --accent: #1f4f46; --code: #f0efe8; --edge: #87907f; --danger: #a3231d;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181a; --raised: #1b2022; --ink: #e9ebe5; --quiet: #a2aaa3; --line: #2f3638;
    --accent: #8fd0bf; --code: #1f2527; --edge: #77807a; --danger: #ff9d94; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(1.25rem, 5vw, 4rem) 1.25rem; background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 58rem; margin: 0 auto; }
h1 { margin: 0 0 0.5rem; font-size: clamp(1.75rem, 5vw, 2.5rem); line-height: 1.15;
  letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { margin: 0 0 0.5rem; font-size: 1.5rem; letter-spacing: -0.01em; }
h3 { margin: 2rem 0 0.5rem; font-size: 1rem; }
p { margin: 0 0 0.75rem; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.lead { color: var(--quiet); font-size: 1.125rem; overflow-wrap: anywhere; }
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
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.brand { display: inline-flex; gap: 0.6rem; align-items: center; color: var(--ink); font-weight: 700; }
.bar { max-width: 68rem; margin: -1rem auto 2.5rem; display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem;
  align-items: center; }
.bar > a { display: flex; text-decoration: none; }
.bar nav { display: flex; flex-wrap: wrap; flex: 1; gap: 0.25rem; }
.bar nav a { padding: 0.5rem 0.75rem; border-radius: 8px; color: var(--quiet); text-decoration: none; }
.bar nav a:hover { color: var(--ink); }
.bar nav a[aria-current] { background: var(--code); color: var(--ink); font-weight: 600; }
.bar + main { max-width: 68rem; }
.narrow { max-width: 26rem; margin: 8vh auto 0; } .narrow .brand { margin-bottom: 2rem; }
.stack { display: grid; gap: 1.25rem; justify-items: start; max-width: 28rem; margin: 1.5rem 0; }
.stack > * { width: 100%; } .stack > button { width: auto; }
.field { display: grid; gap: 0.35rem; } .grow { flex: 1 1 16rem; }
label, legend { font-weight: 600; font-size: 0.9375rem; }
small { color: var(--quiet); font-size: 0.8125rem; }
small.fault { color: var(--danger); }
input:not([type=checkbox]), select { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem;
  border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); color: var(--ink);
  font: inherit; }
.problem { padding: 0.75rem 1rem; border: 1px solid var(--danger); border-radius: 8px; }
input[aria-invalid] { border-color: var(--danger); }
fieldset { display: grid; gap: 0.5rem; margin: 0; padding: 0.75rem 1rem 1rem;
  border: 1px solid var(--line); border-radius: 8px; }
.tick { display: flex; gap: 0.6rem; align-items: baseline; font-weight: 400; }
.tick input { accent-color: var(--accent); }
button { min-height: 2.75rem; padding: 0.5rem 1.1rem; border: 0; border-radius: 8px;
  background: var(--accent); color: var(--paper); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.1); }
button.plain { border: 1px solid var(--edge); background: none; color: var(--ink); }
button.plain.danger { border-color: var(--danger); } .danger { color: var(--danger); }
.filters { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; margin: 1.5rem 0 1rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
.records td { padding-inline-end: 1.25rem; overflow-wrap: break-word; }
.records time { white-space: nowrap; } .records code { overflow-wrap: break-word; }
.records td:last-child { color: inherit; }
.records td > div { max-width: min(20rem, 26vw); }
.records td small { display: block; }
.records + section, .records + details + section { border: 0; padding-top: 0; }
.long { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  min-width: 8rem; overflow-wrap: anywhere; }
.nowrap { white-space: nowrap; }
.pager { display: flex; gap: 1.25rem; align-items: center; margin-top: 1.5rem; }
.secret { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; }
.secret code { padding: 0.75rem 1rem; font-size: 1rem; user-select: all; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 3rem; align-items: start; }
figure { margin: 0; text-align: center; }
figure img { display: block; padding: 0.5rem; background: #fff; border: 1px solid var(--line);
  border-radius: 12px; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.4rem 1.5rem;
  margin: 0 0 2rem; overflow-wrap: anywhere; }
dt { color: var(--quiet); } dd { margin: 0; }
.bar-cell { display: flex; gap: 0.75rem; align-items: center; }
.number { min-width: 3ch; font-variant-numeric: tabular-nums; text-align: end; }
progress { width: 10rem; max-width: 40vw; height: 0.6rem; accent-color: var(--accent); }
details { margin: 1.5rem 0; } summary { cursor: pointer; color: var(--quiet); }
.answer { display: grid; grid-template-columns: 4rem 1fr; padding: 0.75rem 0 0;
  border-top: 1px solid var(--line); }
.answer > div { min-width: 0; }
.status { font-variant-numeric: tabular-nums; }
@media (max-width: 50rem) {
  table, tbody, tr, th[scope=row], td { display: block; }
  thead { display: none; }
  tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  th[scope=row], td { padding: 0; border: 0; }
  .answer { grid-template-columns: 1fr; }
  .split { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; } .split figure { order: -1; justify-self: start; }
  caption:not(.hidden) { display: block; }
  .records td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.75rem;
    padding: 0.15rem 0; }
  .records td > div { max-width: none; }
  .records td::before { content: attr(data-heading); color: var(--quiet); font-size: 0.875rem; }
}
@media (max-width: 36rem) {
  .bar { justify-content: space-between; }
  .bar nav { order: 1; flex: 1 0 100%; margin-inline-start: -0.75rem; }
}
`
