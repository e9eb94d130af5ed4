/** Reads the beginning of a body, which may have any length. */
export async function responseText(response: Response, maxCharacters: number): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= maxCharacters) break // Leaving the loop cancels the rest.
  }
  return text.slice(0, maxCharacters)
}
