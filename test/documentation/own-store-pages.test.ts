import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import * as contracts from '../../src/contracts/index.js'
import { expectShows } from '../support/pages/blocks.js'

const { lawsOf, copyableRecordLaws, storeLaws } = contracts
/** The laws of parts other than stores, keyed by export name. */
const PART_LAWS = {
  hasherLaws: contracts.hasherLaws,
  mailerLaws: contracts.mailerLaws,
  metricsLaws: contracts.metricsLaws,
  passwordBlocklistLaws: contracts.passwordBlocklistLaws,
  sessionKeysLaws: contracts.sessionKeysLaws,
  tokenFormatLaws: contracts.tokenFormatLaws,
}

const PORTS_PAGE = 'docs/embed/store-ports.md'
const LAWS_PAGE = 'docs/embed/run-laws.md'

describe('the pages on custom stores', () => {
  it('show the example files verbatim', () => {
    expectShows(LAWS_PAGE, 'custom-store', ['laws.test.js'])
  })

  it('have a table row for every port that has laws', () => {
    const members = Array.from(
      readFileSync(PORTS_PAGE, 'utf8').matchAll(/^\| `((?!\w+Laws`)\w+)` +\|/gm),
      ([, name]) => name,
    )
    const ports = new Set([...storeLaws, ...copyableRecordLaws].map(({ port }) => port))
    expect(new Set<string>(['store', ...members.map(String)])).to.deep.equal(ports)
  })

  it('have a table row for every exported set of laws', () => {
    const rows = Array.from(
      readFileSync(LAWS_PAGE, 'utf8').matchAll(/^\| `(\w+Laws)` +\|/gm),
      ([, name]) => name,
    )
    expect(rows.toSorted()).to.deep.equal(Object.keys(PART_LAWS))
    const exported = Object.keys(contracts).filter((name) => name.endsWith('Laws'))
    expect(exported.toSorted()).to.deep.equal([...rows, 'copyableRecordLaws', 'storeLaws'].toSorted())
  })
})

describe('the laws of one port', () => {
  it('are never empty', () => {
    expect(() => lawsOf('session' as contracts.Law['port'])).to.throw(
      TypeError,
      'there are no laws for a port named "session"',
    )
  })
})
