import { expect } from 'chai'
import { filesOf, textOf } from '../support/project.js'
import { ROOT_PAGES } from '../support/pages/blocks.js'
import {
  KINDS,
  type Sentence,
  sentencesOf,
  sentencesOfCode,
  sentencesOfPage,
} from '../support/pages/sentences.js'

/** Unclear words in names, comments, messages and pages, and their plain replacements. */
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
  // The OAuth term, in the spelling of a benchmarked library.
  'provider.Grant',
  'Grant: 30 * 86_400',
  // SQL statements.
  'GRANT SELECT',
  'GRANT ALL',
  'GRANT USAGE',
  // Replies over HTTP.
  'You do not have permission to do this.',
  // An extension key in the API description, and one of its values.
  'x-granted-to',
  "'nobody'",
  'nobody: ',
]

/**
 * Hard-to-read constructions and plain replacements. Each construction occurs in less than 0.2 % of the sentences in
 * well-known projects.
 */
const CONSTRUCTIONS: readonly (readonly [name: string, found: RegExp, plain: string])[] = [
  [
    'clause as subject',
    /\bwhat (is|was|are|were|has|had|an?|the|it|they|one|no|there|comes|came|goes|follows)\b(?![^.]*\?)/i,
    'name the thing',
  ],
  [
    'where = if',
    /\bwhere (it|there|an?|the|one|that|this|no|they|none|nothing|each|any|both|some)\b/i,
    'if, when',
  ],
  ['Of first', /^Of\b/, 'the subject first'],
  [
    'is none',
    /\b(is|are|was|were|be) none\b|\bno [\w-]+ any more\b|\bnone (any more|of (it|which))\b/,
    'there is no, no longer',
  ],
  ['that of', /\b(that|those) of\b/, 'repeat the noun'],
  [
    'one that',
    /\bones? (that|which|who|whose|of)\b|\bthose (that|who|which)\b|\b(all|any|every|no)(thing)? that (is|was|has|it|they)\b/,
    'repeat the noun',
  ],
  [
    'tells of',
    /\b(tells?|told) of\b|\b(is|are|was|were) told\b|\b(has|have|had) come to\b/,
    'says, reports, returns',
  ],
  ['of its own', /\bof (its|one['’]s|your|our|their|his|her) own\b/, 'own, separate, custom'],
  ['in the place of', /\bin (the|its|their) place (of|where)\b|\bin place of\b/, 'instead of, replaces'],
  ['at once', /\bat once\b/, 'immediately, or concurrently'],
  [
    'is good',
    /\b(is|are|was|were) over\b|\b(is|are|stays?) good\b|\bworth nothing\b/,
    'valid; ended, expired',
  ],
  ['else, nor', /[;:,] else\b|^Else\b|, nor\b|^Nor\b|\bbut for\b/, 'otherwise; and not; except'],
  [
    'indefinite',
    /\b(no|some)body\b|\bwh(o|at|ich)ever\b|\banew\b|\bbeside (it|them)\b|\bso much as\b/i,
    'name the subject',
  ],
]
/** The maximum fraction of sentences with such a construction, for each kind of text. */
const LIMIT = 0.02

const FOLDERS = ['src', 'test', 'bench', 'examples', 'scripts', 'docs', 'site']
const JUDGED = /\.(ts|js|mjs|md|conf|service|yml)$/
/** Files that are not checked: old decisions, earlier names, generated or installed files, and this list. */
const PASSED =
  /^docs\/decisions\/|^docs\/contribute\/(names|decisions)\.md$|\/node_modules\/|^test\/architecture\/words\.test\.ts$/

/** Files that contain prose, except third-party and generated files. */
const PROSE = /\.(tsx?|mts|js|mjs|cjs|md)$/
const UNREAD = /\/node_modules\/|^bench\/results|^src\/client\/api\.ts$|^test\/architecture\/words\.test\.ts$/

function wordsIn(text: string, file: string): string[] {
  // Most files contain no such word, and one search of the whole text is much faster than one search per line.
  if (!WORDS.some(([word]) => word.test(text))) return []
  return text.split('\n').flatMap((line, index) => {
    const judged = KEPT.reduce((rest, kept) => rest.replaceAll(kept, ''), line)
    return WORDS.flatMap(([word, plain]) => {
      const found = word.exec(judged)
      return found ? [`${file}:${index + 1} "${found[0]}": ${plain}`] : []
    })
  })
}

function constructionsIn({ text }: Pick<Sentence, 'text'>): string[] {
  return CONSTRUCTIONS.flatMap(([name, found, plain]) => (found.test(text) ? [`[${name}: ${plain}]`] : []))
}

describe('the words', () => {
  it('are plain in names, comments, messages and pages', () => {
    const files = [
      ...FOLDERS.flatMap((folder) => {
        const found = filesOf(folder).filter((file) => JUDGED.test(file) && !PASSED.test(file))
        expect(found, folder).to.not.be.empty
        return found
      }),
      ...ROOT_PAGES,
      '.env.example',
    ]
    const found = files.flatMap((file) => [...wordsIn(textOf(file), file), ...wordsIn(file, file)])
    expect(found).to.deep.equal([])
  })

  it('are reported, both in code and in prose, if they are not plain', () => {
    const lines = ['class StoreFault', 'the grant of it', 'type Living = X', 'moveOn()', 'const PATIENCE = 1']
    const sentences = [
      'Nobody does.',
      'the one of before',
      'it is on record',
      'what stands behind it',
      'must be a text',
    ]
    for (const line of [...lines, ...sentences]) expect(wordsIn(line, 'here'), line).to.have.length(1)
    for (const line of ['for (const one of before)', 'nobody@example.com', "'x-granted-to': 'nobody'"])
      expect(wordsIn(line, 'here'), line).to.be.empty
  })

  it('form plain sentences: at most 2 % of each kind contain a listed construction', () => {
    const all = [...FOLDERS.flatMap(filesOf), ...ROOT_PAGES]
      .filter((file) => PROSE.test(file) && !UNREAD.test(file))
      .flatMap(sentencesOf)
    expect(all.length).to.be.at.least(10_000)
    for (const kind of KINDS) {
      const sentences = all.filter((one) => one.kind === kind)
      const hard = sentences.filter((one) => constructionsIn(one).length > 0)
      const lines = hard.map((one) => `${one.place} ${constructionsIn(one).join(' ')} ${one.text}`)
      const share = `${hard.length} of ${sentences.length} sentences`
      expect(hard.length, [kind, share, ...lines].join('\n')).to.be.at.most(LIMIT * sentences.length)
    }
  })

  it('are checked in each kind of text, and each finding names its line and its construction', () => {
    const code = [
      '// Where it ends,',
      '// nobody knows of what is there.',
      'throw new Error(`It tells of ${name} and more`)',
      "it('takes one that is good', () => {})",
    ].join('\n')
    const found = [
      ...sentencesOfCode('src/a.ts', code),
      ...sentencesOfPage(
        'a.md',
        'Do this:\n\n```sh\nwhat is this\n```\n\n- Of all pages.\n- Plain text here.\n',
      ),
    ]
    expect(found.map((one) => [one.kind, one.place, constructionsIn(one).length])).to.deep.equal([
      ['comment', 'src/a.ts:1', 3],
      ['message', 'src/a.ts:3', 1],
      ['title', 'src/a.ts:4', 2],
      ['page', 'a.md:7', 1],
      ['page', 'a.md:8', 0],
    ])
  })
})
