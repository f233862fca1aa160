import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { filesOf, PROJECT } from '../support/project.js'
import { ROOT_PAGES } from '../support/pages/blocks.js'

/** Words that make a reader stop, in names, comments, messages and pages, and their plain replacements. */
const WORDS: readonly (readonly [word: RegExp, plain: string])[] = [
  [/[a-z]Faults?\b|\bfaults?[A-Z]|\bFault\b/, 'error'],
  [/\b(re)?grant(s|ing)?\b|\bgranted\b/i, 'permission, permitted'],
  [/\breach(Of|es)?\b(?= *[:=])|\bReach\b/, 'GrantedTo'],
  [/\b[Ll]iving\b|[a-z]Living\b|LIVING/, 'active'],
  [/\bmove(On|Epoch)\b/, 'rotate, bumpEpoch'],
  [/redeem/i, 'consume'],
  [/\boffers?\b(?= *[,:=)])|[a-z]Offers?\b|\bOFFERS?\b|\b(an|the|of) offers?\b/, 'reset token'],
  [/\b(Surroundings|Foundation|Portfolio|Recall)\b/, 'dependencies, Infrastructure, StorePorts, cache'],
  [/(?<![a-z])(im)?patien(t|ce|tly)\b|_PATIENCE\b/i, 'timeout, retry'],
  [/\b(verification|rows?|token)[- ]?memory\b|\brecent-?rows\b/i, 'cache'],
  [/\bcounted-?address|\bgiveBack\b/i, 'rate-limit key, refund'],
  [/\b(answered|broken)-requests?\b/, 'request log, client error'],
  [
    /\b(near-?names?|first-?index|further-?actions?)\b/i,
    'suggestions, lower-bound, impersonation and password-reset',
  ],
  [/\blongest\b(?= *[:=,}])/, 'maxDuration'],
  [/\b(nobody|somebody)\b(?!@)|\bwhoever\b/i, 'the subject by its name'],
  [
    /\bof before\b(?![.()])|\b(is|are|was|goes?|puts?|put|were|be|stands?) on (the )?record\b/i,
    'previous, audited',
  ],
  [/\bstands? behind\b/i, 'follows'],
  [/\bmust be a text\b/i, 'must be a string'],
]

/**
 * Words that are sent, stored, published or defined by others and cannot change: they are removed before a line is
 * checked.
 */
const KEPT: readonly string[] = [
  // OAuth's own word, as a peer of the benchmarks spells it.
  'provider.Grant',
  'Grant: 30 * 86_400',
  // Replies over HTTP.
  'This action is not granted to you.',
  'Nobody can act as an administrator.',
  'You do not act as somebody else.',
  'You act as somebody else already.',
  'Acting as somebody else is not possible here.',
  'This is not possible while you act as somebody else.',
  // The API description: its texts, and a value of `x-granted-to`.
  'Who somebody is: login, current identity',
  'Harmless where nobody is logged in.',
  'It belongs to whoever is logged in.',
  'those of before are dead. All grants are',
  'logs nobody in.',
  'and what it grants.',
  'Granted to whoever has an identity',
  'Granted to everyone',
  'Granted to some roles',
  'Not granted to anybody in this configuration',
  "'Not granted'",
  'x-granted-to',
  "'nobody'",
  'nobody: ',
]

const FOLDERS = ['src', 'test', 'bench', 'examples', 'scripts', 'docs', 'site']
const JUDGED = /\.(ts|js|mjs|md|conf|service|yml)$/
/** Old decisions, earlier names, generated or installed files, and this list. */
const PASSED =
  /^docs\/decisions\/|^docs\/contribute\/(names|decisions)\.md$|\/node_modules\/|^test\/architecture\/words\.test\.ts$/

/** The lines of a text that hold such a word: the place, the word and its replacement. */
function wordsIn(text: string, file: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const judged = KEPT.reduce((rest, kept) => rest.replaceAll(kept, ''), line)
    return WORDS.flatMap(([word, plain]) => {
      const found = word.exec(judged)
      return found ? [`${file}:${index + 1} "${found[0]}": ${plain}`] : []
    })
  })
}

describe('the words', () => {
  it('in names, comments, messages and pages are plain', () => {
    const files = [
      ...FOLDERS.flatMap((folder) => {
        const found = filesOf(folder).filter((file) => JUDGED.test(file) && !PASSED.test(file))
        expect(found, folder).to.not.be.empty
        return found
      }),
      ...ROOT_PAGES,
      '.env.example',
    ]
    const found = files.flatMap((file) => [
      ...wordsIn(readFileSync(join(PROJECT, file), 'utf8'), file),
      ...wordsIn(file, file),
    ])
    expect(found).to.deep.equal([])
  })

  it('are checked: every listed word is found in a line', () => {
    const lines = ['class StoreFault', 'the grant of it', 'type Living = X', 'moveOn()', 'const PATIENCE = 1']
    const sentences = [
      'Nobody does.',
      'the one of before',
      'it is on record',
      'what stands behind it',
      'must be a text',
    ]
    for (const line of [...lines, ...sentences]) expect(wordsIn(line, 'here'), line).to.have.length(1)
    for (const line of ['for (const one of before)', 'nobody@example.com', "403: 'Not granted'"])
      expect(wordsIn(line, 'here'), line).to.be.empty
  })
})
