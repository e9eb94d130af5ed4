export const DASHBOARD_STYLE = `
:root { --series-1: var(--accent); --series-2: #db6702; --series-3: #366ad4; --series-4: #400152; --series-5: #b0268c; }
@media screen and (prefers-color-scheme: dark) {
  :root { --series-2: #ed9d47; --series-3: #629ddf; --series-4: #e9eb81; --series-5: #a846be; }
}
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
[hidden] { display: none !important; }
.copy.copy { min-height: 1.75rem; padding: 0.05rem 0.6rem; border-radius: 6px; font-size: 0.8125rem; }
.toast { position: fixed; z-index: 2; inset: auto 1rem 1rem; width: fit-content; margin: 0 auto; padding: 0.6rem 1rem;
  border-radius: 8px; background: var(--ink); color: var(--paper); overflow-wrap: anywhere; }
.toast:empty { visibility: hidden; }
.danger { color: var(--danger); }
.brand { display: inline-flex; gap: 0.6rem; align-items: center; color: var(--ink); font-weight: 700; }
.bar { max-width: 68rem; margin: -1rem auto 2.5rem; display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem;
  align-items: center; }
.bar > a { display: flex; text-decoration: none; }
.bar nav { display: flex; flex-wrap: wrap; flex: 1; gap: 0.25rem; }
.bar nav a { padding: 0.5rem 0.75rem; border-radius: 8px; color: var(--quiet); text-decoration: none; }
.bar nav a:hover { color: var(--ink); }
.bar nav a[aria-current] { background: var(--code); color: var(--ink); font-weight: 600; }
.who { flex: 1 0 100%; margin: 0; color: var(--quiet); font-size: 0.875rem;
  overflow-wrap: anywhere; }
.bar + main { max-width: 68rem; }
.stack { display: grid; gap: 1.25rem; justify-items: start; max-width: 28rem; margin: 1.5rem 0; }
.stack > * { width: 100%; } .stack > button { width: auto; }
.link-form { max-width: 44rem; } .link-form fieldset { gap: 1rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr));
  gap: 1.25rem; align-items: start; }
.field { display: grid; gap: 0.35rem; overflow-wrap: anywhere; }
label, legend { font-weight: 600; font-size: 0.9375rem; }
input:not([type=checkbox]), select, textarea { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem;
  border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); color: var(--ink);
  font: inherit; }
input[type=color] { width: 5rem; padding: 0.35rem; }
textarea { resize: vertical; }
::placeholder { color: var(--quiet); opacity: 1; }
:is(input, select, textarea)[aria-invalid] { border-color: var(--danger); }
small.error { color: var(--danger); }
.notice { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-bottom: 1.5rem;
  padding: 0.75rem 1rem; border: 1px solid var(--accent); border-radius: 8px; overflow-wrap: anywhere; }
.notice:focus-visible { outline-offset: -1px; border-radius: 8px; }
.alert { padding: 0.75rem 1rem; border: 1px solid var(--danger); border-radius: 8px;
  color: var(--ink); }
fieldset { display: grid; gap: 0.5rem; margin: 0; min-width: 0; padding: 0.75rem 1rem 1rem;
  border: 1px solid var(--line); border-radius: 8px; }
.checkbox { display: flex; gap: 0.6rem; align-items: baseline; font-weight: 400; }
.checkbox input { accent-color: var(--accent); }
:is(button, .button).plain { border: 1px solid var(--edge); background: none; color: var(--ink); }
:is(button, .button).plain.danger { border-color: var(--danger); color: var(--danger); }
.filters { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; margin: 1.5rem 0 1rem; }
.actions + .found { margin-top: 1.5rem; } .filters details > button { display: block; margin-top: 1rem; }
.filters > .field, .filters .whole { flex: 1 0 100%; } .filters details { flex: 1; margin: 0; }
.choices { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; } .choices .field { flex: 1 1 9rem; }
.links b { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden;
  font-weight: 600; text-align: left; }
.address { display: flex; flex-wrap: wrap; gap: 0.25rem 0.6rem; align-items: center; }
.links td:has(.url) > div { position: relative; }
.links .url::after { content: ''; position: absolute; inset: 0; } .links .copy { position: relative; z-index: 1; }
.pick { position: relative; z-index: 1; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent); }
.picked { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; padding: 0.75rem 0;
  background: var(--paper); }
.bulk:not(:has(:checked)) .picked .actions { display: none; }
.bulk:has(:checked) .picked { position: sticky; z-index: 2; top: 0; border-bottom: 1px solid var(--line); }
.picked button { min-height: 2.25rem; padding: 0.25rem 0.75rem; font-size: 0.875rem; }
.picked + table { margin-top: 0; }
.state { padding: 0.1rem 0.45rem; border-radius: 6px; background: var(--code); color: var(--quiet);
  font-size: 0.8125rem; white-space: nowrap; }
.address + .tags { margin-top: 0.25rem; }
.tags { display: flex; flex-wrap: wrap; gap: 0.35rem; position: relative; z-index: 1; width: fit-content; }
.tags a { padding: 0.15rem 0.5rem; border: 1px solid var(--line); border-radius: 6px; font-size: 0.8125rem;
  line-height: 1.25rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.tags a:hover { border-color: var(--edge); }
.state.active { color: var(--accent); }
.lead .state { font-size: 0.875rem; vertical-align: 0.1em; }
.alert > :last-child { margin-bottom: 0; } .alert.alert { margin-bottom: 1.5rem; }
.link-actions { margin: 1.25rem 0 2rem; }
.preview-image { display: block; height: 9rem; max-width: 100%; object-fit: contain; background: #fff;
  border: 1px solid var(--line); border-radius: 8px; }
a.quiet { color: inherit; text-decoration-color: var(--edge); }
.heading { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: start;
  justify-content: space-between; }
.heading h1 { flex: 1 1 5rem; min-width: 0; }
.found { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; }
.found .lead { margin: 0; flex: 1 1 auto; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem clamp(0.5rem, 3vw, 1rem); align-items: center; }
.records td { padding-inline-end: 1.25rem; overflow-wrap: break-word; }
.records time { white-space: nowrap; } .records code { overflow-wrap: break-word; }
.records td:last-child { color: inherit; }
.records td > div { max-width: min(20rem, 26vw); }
.records td > div:has(> :is(.change, .group)) { max-width: 34rem; }
.records td small { display: block; }
.records + section, .records + details + section { border: 0; padding-top: 0; }
.long { display: block; min-width: 8rem; overflow-wrap: anywhere; }
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
.split dl, dl:last-child { margin-bottom: 0; }
.figures { display: flex; flex-wrap: wrap; gap: 0.5rem 2.5rem; margin: 1rem 0 1.25rem; }
.figures dd { font-size: 1.75rem; font-weight: 600; line-height: 1.2; letter-spacing: -0.01em;
  font-variant-numeric: tabular-nums; }
.chart { display: block; width: calc(100% - 44px); margin: 1rem 0 1rem 44px; overflow: visible;
  font-variant-numeric: tabular-nums; }
.column:hover rect:first-of-type { fill: var(--code); }
.actions a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.group { display: flex; gap: 0.6rem; align-items: baseline; overflow-wrap: anywhere; } .group svg { flex: none; }
.bar-cell { display: flex; gap: 0.75rem; align-items: center; }
.number { min-width: 5.5ch; font-variant-numeric: tabular-nums; text-align: end; }
progress { width: 10rem; max-width: 40vw; height: 0.6rem; accent-color: var(--accent); }
.running > .progress:has(~ .progress, ~ .result), .unfinished:has(~ .result) { display: none; }
details { margin: 1.5rem 0; } summary { cursor: pointer; color: var(--quiet); }
@media (min-width: 50.01rem) {
  .unit { display: none; }
  @supports selector(::details-content) {
    .filters summary { display: none; }
    .filters details::details-content { content-visibility: visible; }
  }
}
@media screen and (max-width: 50rem) {
  .split { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
  .split figure { justify-self: start; }
  .records td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.75rem;
    padding: 0.15rem 0; }
  .records td > div { max-width: none; }
  .records :is(time, .state) { white-space: normal; }
  .records td:has(> div:empty) { display: none; }
  .records td::before { content: attr(data-heading); color: var(--quiet); font-size: 0.875rem; }
  .sums tr { display: flex; flex-wrap: wrap; gap: 0 1.25rem; } .sums td { display: flex; gap: 0.35rem; padding: 0; }
  .sums td:first-child { flex: 1 0 100%; } .sums td:first-child::before { content: none; }
  .links tr { position: relative; display: flex; flex-wrap: wrap; gap: 0.25rem 0.5rem; align-items: center; }
  .links td { display: none; }
  .links td:has(.name, .url, .count, .pick), .links td > div, .links .address { display: contents; }
  .links td::before { content: none; }
  .links :is(.name, .url) { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .links .name { display: block; order: 1; flex: 1 1 calc(100% - 7.5rem); font-weight: 600; color: inherit;
    text-decoration: none; }
  .links .pick { order: 0; } .links .copy { order: 2; }
  .links :is(.url, .count) { font-size: 0.875rem; }
  .links .url { order: 3; flex: 1 1 4.5rem; max-width: max-content; direction: rtl; }
  .links .tags { order: 6; flex: 1 0 100%; }
  .links .count { order: 4; color: var(--quiet); } .links .state { order: 5; } .links .hour { display: none; }
  .filters { gap: 0.75rem 1rem; align-items: center; }
  .filters details[open] { flex: 1 0 100%; } .filters summary { padding: 0.5rem 0; }
}
@media (max-width: 36rem) {
  .records tr:has(td:nth-child(2):last-child) { display: flex; gap: 1rem; justify-content: space-between; }
  .records tr:has(td:nth-child(2):last-child) td { display: block; min-width: 0; }
  .records tr:has(td:nth-child(2):last-child) td::before { content: none; }
  .records tr:has(td:nth-child(2):last-child) td:last-child { flex: none; padding: 0; } progress { max-width: 25vw; }
  .figures { justify-content: space-between; column-gap: 1rem; } .figures dd { font-size: 1.5rem; }
  .filters details[open] + button { flex: 1 0 100%; }
  .bar { justify-content: space-between; }
  .bar nav, .who { order: 1; }
  .bar nav { flex: 1 0 100%; margin-inline-start: -0.75rem; }
}
@media (max-width: 24rem) {
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd + dt { margin-top: 0.5rem; }
  .figures { display: grid; grid-template-columns: 1fr 1fr; }
  .link-actions :is(button, .button) { padding-inline: 0.85rem; }
}
@media print {
  .bar, .filters, main > .actions, .found a, .pick, .picked { display: none; }
  body { padding: 0; } tr { break-inside: avoid; }
}
`
