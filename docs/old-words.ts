/** What texts say, and patterns of the words that they don't use (CONTRIBUTING.md, “Words”). */
export const OLD_WORDS: readonly (readonly [use: string, words: string])[] = [
  ['A link is created, and has a creator', 'makers?'],
  [
    'A link is created',
    'ma(kes?|king|de) ((a|an|the|no|new|your|more|short|these|those|two|any|other|another|second) )*links?',
  ],
  ['A link is created', 'links? ([a-z’]+ )?(was|were|is|are|be|been) made'],
  ['HTTP has a response', String.raw`answers? (with )?[1-5]\d\d`],
  ['HTTP has a response', 'answered with'],
  [
    'HTTP has a response',
    'answers? (of|to|from) (the|a|an|each|every) (link service|service|request|create|call|change)',
  ],
  ['Something failed', 'problem of its own'],
  ['A link stops working', 'leads? nowhere'],
  ['Something can or might happen', 'may(?= [a-z])'],
  ['Links belong to a workspace', 'owners? of (a|the) links?'],
  ['A link is turned off', 'disabled links?'],
  ['Use “if” for conditions, and “where” for places', '(cases?|errors?) where'],
  ['Say who acts', 'somebody'],
  ['Say who acts', 'nobody'],
  ['Say who acts', 'whoever'],
]
