import { createHash } from 'node:crypto'
import { STYLE } from './style.ts'

/** For the content security policy: this style and no other. */
export const PAGE_STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** Two halves of a link. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f4f46"/><g fill="none" stroke="#fbfaf7" stroke-width="3" stroke-linecap="round"><path d="M14 11h-3a5 5 0 0 0 0 10h3"/><path d="M18 11h3a5 5 0 0 1 0 10h-3"/><path d="M12.5 16h7"/></g></svg>`

const WHOLE = `<path class="line" d="M68 20H46a20 20 0 0 0 0 40h22"/><path class="line" d="M92 20h22a20 20 0 0 1 0 40H92"/><path class="line" d="M56 40h48"/>`

const BROKEN = `<path class="line" d="M60 20H40a20 20 0 0 0 0 40h20"/><path class="line" d="M100 20h20a20 20 0 0 1 0 40h-20"/><path class="line" d="M50 40h14"/><path class="line" d="M96 40h14"/>`

/** The pages, whole. Nothing in them comes from a request. */
export const pages = {
  home: page(
    'Backhalf',
    WHOLE,
    `<h1>Short links live here.</h1>
<p>This is a Backhalf link service. Each short link made here leads to a longer address elsewhere.</p>
<p>Were you given a link? Use all of it: what follows the slash decides where it leads.</p>`,
  ),
  notFound: page(
    'No such link · Backhalf',
    BROKEN,
    `<h1>This link leads nowhere.</h1>
<p>There is no short link at this address.</p>
<ul>
<li>Was it typed in? Capitals count, and 0 and O look alike.</li>
<li>Was it copied? Its end may be missing.</li>
<li>Else ask whoever gave it to you for a new one.</li>
</ul>`,
  ),
}

function page(title: string, drawing: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<svg viewBox="16 8 128 64" fill="none" stroke-width="6" stroke-linecap="round" aria-hidden="true">${drawing}</svg>
${content}
</main>
</body>
</html>
`
}
