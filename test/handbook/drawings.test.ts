import { expect } from 'chai'
import { ENDPOINTS } from '../../src/http/endpoints.js'
import { SECTIONS, pagesOf, type Page } from './page.js'

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

describe('a sequence diagram in the handbook', () => {
  const sequences = SECTIONS.flatMap(pagesOf)
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
      '  nonsense',
    ]
    expect(brokenLines(['sequenceDiagram', ...lines].join('\n'))).to.deep.equal(lines.slice(4))
  })
})
