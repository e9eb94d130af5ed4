export interface Person {
  id: string
  name: string
}

const MAX_HEADER_LENGTH = 200

/** Cuts a name that is too long. @returns undefined if the ID is empty or too long */
export function encodePerson({ id, name }: Person): string | undefined {
  const characters = Array.from(name.toWellFormed().replaceAll(/\p{Cc}/gu, ''))
  let header = `${encodeURIComponent(id.toWellFormed())} `
  if (id === '' || header.length > MAX_HEADER_LENGTH) return undefined
  for (const character of characters) {
    const longer = header + encodeURIComponent(character)
    if (longer.length > MAX_HEADER_LENGTH) break
    header = longer
  }
  return header.trimEnd()
}

export function parsePerson(header: string): Person | undefined {
  if (header.length > MAX_HEADER_LENGTH || /[^ -~]/.test(header)) return undefined
  try {
    const [id = '', name = '', ...rest] = header.split(' ').map(decodeURIComponent)
    const isValid = id !== '' && rest.length === 0 && !/\p{Cc}/u.test(id + name)
    return isValid ? { id, name } : undefined
  } catch {
    return undefined
  }
}
