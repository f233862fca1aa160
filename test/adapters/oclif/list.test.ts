import { expect } from 'chai'
import fc from 'fast-check'
import widthOf from 'string-width'
import { tableOf, type Row } from '../../../src/adapters/oclif/list.js'

const table = (rows: readonly Row[], width = 40) => tableOf(rows, { width, widthOf })

describe('a table', () => {
  it('has one line per row if the row fits the terminal', () => {
    const rows = [
      { id: 1, email: 'ada@example.com', roles: ['editor', 'author'], disabledAt: null },
      { id: 20, email: 'bo@example.com', roles: [], disabledAt: undefined },
    ]
    expect(table(rows, 60)).to.equal(
      'ID  EMAIL            ROLES           DISABLED AT\n' +
        '1   ada@example.com  editor, author\n' +
        '20  bo@example.com\n',
    )
  })

  it('continues a row on indented lines with aligned columns, and omits empty lines', () => {
    const rows = [
      { at: '2026-03-01T12:00:00Z', event: 'login', actor: 'account:1', count: 12, id: 'abc' },
      { at: '2026-03-01T13:00:00Z', event: 'user.disable', actor: 'cli:root', count: null, id: null },
    ]
    expect(table(rows)).to.equal(
      'AT                    EVENT\n' +
        '    ACTOR      COUNT  ID\n' +
        '2026-03-01T12:00:00Z  login\n' +
        '    account:1  12     abc\n' +
        '2026-03-01T13:00:00Z  user.disable\n' +
        '    cli:root\n',
    )
  })

  it('splits a cell that is wider than the terminal', () => {
    expect(table([{ id: 1, roles: 'r'.repeat(50) }], 24)).to.equal(
      `ID\n    ROLES\n1\n    ${'r'.repeat(20)}\n    ${'r'.repeat(20)}\n    ${'r'.repeat(10)}\n`,
    )
  })

  it('is never wider than the terminal and contains every character', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('漢', '字', 'a', '🐕', 'e\u0301', ' '), maxLength: 50 }),
    )
    const row = fc.record({ name: text, at: text, longLabel: text, id: fc.nat() })
    const rows = fc.array(row, { minLength: 1 })
    fc.assert(
      fc.property(rows, fc.integer({ min: 10, max: 200 }), (given, width) => {
        const shown = table(given, width)
        for (const line of shown.split('\n')) expect(widthOf(line)).to.be.at.most(width)
        const letters = (all: string) => all.replaceAll(/\s/gu, '')
        expect(letters(shown)).to.equal(letters(table(given, Number.POSITIVE_INFINITY)))
      }),
      { numRuns: 200 },
    )
  })
})
