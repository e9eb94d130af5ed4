import { html } from '../../web/pages.ts'

/** Works only on a page with `copies: true`. @param label for screen readers */
export function copyButton(text: string, label: string) {
  return html`<button type="button" class="plain copy" data-copy=${text} aria-label=${label} hidden>
    Copy
  </button>`
}

export const COPY_STATUS = html`<p class="toast" id="copied" role="status"></p>`

const SHOWN_MS = 4000

/** Makes copy buttons work, even over plain HTTP, where browsers have only a deprecated command for it. */
export const COPY_SCRIPT = `
const status = document.getElementById('copied')
let timer
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const text = button.dataset.copy
    clearTimeout(timer)
    status.textContent = ''
    if (await copy(text)) {
      status.textContent = 'Copied'
      timer = setTimeout(() => { status.textContent = '' }, ${SHOWN_MS})
    } else {
      status.textContent = 'Your browser didn’t allow copying. Select this text and copy it: ' + text
    }
  })
}
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const replace = (event) => {
      event.preventDefault()
      event.clipboardData.setData('text/plain', text)
    }
    document.addEventListener('copy', replace)
    const copied = document.execCommand('copy')
    document.removeEventListener('copy', replace)
    return copied
  }
}
`
