import { expect } from 'chai'
import { VARIABLES } from '../../src/configuration/settings.js'
import { ENDPOINTS } from '../../src/http/endpoints.js'
import { DOORS, pagesOf, type Page } from './page.js'

const ARROW = /^\s+(\w+)--?>>(\w+): (.+)$/
const PARTICIPANT = /^\s+participant (\w+) as .+$/
const NOTE = /^\s+Note over (\w+)(?:,(\w+))?: .+$/
const REQUEST = /^(GET|POST|PATCH|DELETE) ([^\s,]+)/

function drawingsOf({ path, steps }: Page): readonly { readonly path: string; readonly text: string }[] {
  return steps.flatMap((step) =>
    step.kind === 'other' && step.language === 'mermaid' ? [{ path, text: step.text }] : [],
  )
}

/** Returns the lines of a sequence diagram that a browser could not draw, or that show an unknown route. */
function brokenLines(text: string): readonly string[] {
  const [, ...lines] = text.trimEnd().split('\n')
  const participants = new Set(lines.map((line) => PARTICIPANT.exec(line)?.[1] ?? ''))
  return lines.filter((line) => {
    if (PARTICIPANT.test(line)) return false
    const [, from = '?', to = from, sent = ''] = ARROW.exec(line) ?? NOTE.exec(line) ?? []
    const [, method, path] = REQUEST.exec(sent) ?? []
    const isThere = ENDPOINTS.some((one) => one.method === method && one.path === path)
    return !participants.has(from) || !participants.has(to) || (method !== undefined && !isThere)
  })
}

const DRAWN: Readonly<Record<string, readonly string[]>> = {
  'docs/contribute/structure.md': ['flowchart', 'sequenceDiagram'],
  'docs/http/first-login.md': ['sequenceDiagram'],
  'docs/http/refresh.md': ['sequenceDiagram'],
  'docs/operate/keys.md': ['sequenceDiagram'],
  'docs/operate/scaling.md': ['flowchart'],
}

function kindsByPage(): Readonly<Record<string, readonly (string | undefined)[]>> {
  const pages = DOORS.flatMap(pagesOf).map((page) => [page.path, drawingsOf(page)] as const)
  const drawn = pages.filter(([, drawings]) => drawings.length > 0)
  return Object.fromEntries(
    drawn.map(([path, drawings]) => [path, drawings.map(({ text }) => text.split(/\s/, 1)[0])]),
  )
}

describe('the diagrams in the handbook', () => {
  it('show the layers, a request, login, refresh, key rotation and deployment', () => {
    expect(kindsByPage()).to.deep.equal(DRAWN)
  })
})

describe('a sequence diagram in the handbook', () => {
  const sequences = DOORS.flatMap(pagesOf)
    .flatMap(drawingsOf)
    .filter(({ text }) => text.startsWith('sequenceDiagram\n'))

  it('connects only declared participants, and uses only existing routes', () => {
    expect(sequences.length).to.be.greaterThan(2)
    const broken = sequences.flatMap(({ path, text }) => brokenLines(text).map((line) => `${path}: ${line}`))
    expect(broken).to.deep.equal([])
  })

  it('is rejected if a participant or a route is unknown', () => {
    const lines = [
      '  participant A as Tab A',
      '  participant K as Kennel',
      '  A->>K: POST /api/auth/refresh, cookie 1',
      '  A->>K: PUT /api/auth/refresh',
      '  A->>K: POST /api/auth/refreshed, cookie 1',
      '  A->>B: hello',
      '  Note over A,B: hello',
      '  nonsense',
    ]
    expect(brokenLines(['sequenceDiagram', ...lines].join('\n'))).to.deep.equal(lines.slice(4))
  })
})

describe('a flowchart on the operation pages', () => {
  const pages = pagesOf('operate')
  const drawings = pages.flatMap(drawingsOf)
  const known: readonly string[] = VARIABLES

  const endsIn = (text: string) =>
    text
      .split('\n')
      .filter((line) => /-->|---/.test(line))
      .flatMap((line) => line.trim().split(/ (?:-- .*? )?(?:-->|---) /))
      .map((end) => /^\w+/.exec(end)?.[0] ?? end)

  it('names only existing settings', () => {
    const names = drawings.flatMap(({ text }) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])
    expect(names).to.not.be.empty
    expect(names.filter((name) => !known.includes(name))).to.deep.equal([])
  })

  it('closes every subgraph, and labels both ends of each arrow', () => {
    for (const { path, text } of drawings.filter((one) => one.text.startsWith('flowchart '))) {
      const count = (word: RegExp) => text.match(word)?.length ?? 0
      expect(count(/^ *subgraph /gm), path).to.equal(count(/^ *end$/gm))
      const labelled = new Set(Array.from(text.matchAll(/(\w+)(?=[[({])/g), ([id]) => id))
      const ends = endsIn(text)
      expect(ends.length, path).to.be.greaterThan(5)
      const bare = ends.filter((id) => !labelled.has(id))
      expect(bare, path).to.deep.equal([])
    }
  })
})
