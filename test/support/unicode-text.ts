import fc from 'fast-check'

/** Any character of Unicode. Fast-check's unit `binary` is the same, but takes half a second for each string arbitrary. */
const character = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

export function unicodeText(constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character })
}
