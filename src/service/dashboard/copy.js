// Makes copy buttons work, even over plain HTTP, where browsers have only a deprecated command for it.

const SHOWN_MS = 4000
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
      timer = setTimeout(() => {
        status.textContent = ''
      }, SHOWN_MS)
    } else {
      status.textContent =
        'Your browser didn’t allow copying. Select this text and copy it: ' + text
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
