/** The style of the service's own pages: one calm column, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --ink: #20241f; --quiet: #5d655c; --line: #dcdcd2; --accent: #1f4f46;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181a; --ink: #e9ebe5; --quiet: #a2aaa3; --line: #2f3638; --accent: #8fd0bf; }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center;
  padding: 2rem 1.25rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 32rem; width: 100%; }
svg { display: block; width: 100%; max-width: 12rem; height: auto; margin: 0 0 1.75rem -0.2rem; }
h1 { margin: 0 0 0.75rem; font-size: clamp(1.75rem, 6vw, 2.5rem); line-height: 1.15;
  letter-spacing: -0.02em; text-wrap: balance; }
p { margin: 0 0 1rem; color: var(--quiet); text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: 0.15em; }
ul { margin: 0; padding: 1rem 0 0 1.1rem; border-top: 1px solid var(--line); color: var(--quiet); }
li { margin: 0.25rem 0; }
.line { stroke: var(--accent); }
`
