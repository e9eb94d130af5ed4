import { MAX_UPLOAD_BYTES } from '../../shared/upload-limit.ts'

/**
 * What is wrong with a file, as far as one knows before it is sent: words for the person.
 *
 * @param types the endings that the element takes, such as `png`; any where there are none
 */
export function fileFault(
  { name, size }: Pick<File, 'name' | 'size'>,
  types: readonly string[],
): string | undefined {
  if (types.length > 0 && !types.map(ending).includes(ending(name))) {
    return `${name} is of another type. Choose ${oneOf(types)} file.`
  }
  if (size === 0) return `${name} is empty. Choose another file.`
  if (size > MAX_UPLOAD_BYTES) return `${name} is too large: a file may have at most 10 MB.`
  return undefined
}

/** What stands behind the last dot, in lower case; one word for the two of JPEG. */
function ending(name: string): string {
  return (
    name
      .toLowerCase()
      .split('.')
      .at(-1)
      ?.replace(/^jpeg$/, 'jpg') ?? ''
  )
}

function oneOf(types: readonly string[]): string {
  const names = types.map((type) => type.toUpperCase())
  const article = /^[AEFHILMNORSX]/.test(names[0] ?? '') ? 'an' : 'a'
  return `${article} ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}`
}
