/** Shows the copy button where there is a clipboard; without it, the key can be selected. */
export const COPY_SCRIPT = `
const button = document.getElementById('copy')
if (navigator.clipboard) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const said = document.getElementById('copied')
    try {
      await navigator.clipboard.writeText(document.getElementById('key').textContent)
      said.textContent = 'Copied'
    } catch {
      said.textContent = 'The browser didn’t allow it: select the key and copy it.'
    }
  })
}
`
