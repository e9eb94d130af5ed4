{
  const all = document.getElementById('select-all')
  const boxes = [...document.querySelectorAll('.pick')]
  const update = () => {
    all.checked = boxes.length > 0 && boxes.every((box) => box.checked)
  }
  all.closest('label').hidden = false
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
  })
  for (const box of boxes) box.addEventListener('change', update)
  addEventListener('pageshow', update)
}
