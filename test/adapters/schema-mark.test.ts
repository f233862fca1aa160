import { expect } from 'chai'
import {
  assertUpgraded,
  assertUsable,
  decideContraction,
  markFor,
  type SchemaMark,
} from '../../src/adapters/upgrades.js'
import { VERSION } from '../../src/domain/version.js'

const PLAN = {
  version: 9,
  oldestUsable: 7,
  contractSteps: [
    { usableFrom: 8, step: 'first' },
    { usableFrom: 9, step: 'second' },
  ],
}

describe('the mark of a schema', () => {
  const open = (mark: SchemaMark, supported: number) => () =>
    assertUsable(mark, supported, { store: 'database', setting: 'DATABASE_URL to another database' })

  it('names this release', () => {
    const mark = { version: 9, readableFrom: 7, writableFrom: 7, release: VERSION, contracted: 0 }
    expect(markFor(PLAN)).to.deep.equal(mark)
  })

  it('excludes releases that need something that a contract step has removed', () => {
    const from = (contracted: number) => markFor(PLAN, contracted).writableFrom
    expect([0, 1, 2].map(from)).to.deep.equal([7, 8, 9])
  })

  it('determines which contract steps have not run yet', () => {
    const stepsAfter = (contracted: number) => {
      const decided = decideContraction({ mark: markFor(PLAN, contracted), instances: [] }, PLAN, 0)
      return decided.kind === 'due' ? decided.steps : decided.kind
    }
    expect([0, 1, 2].map(stepsAfter)).to.deep.equal([['first', 'second'], ['second'], 'unchanged'])
  })

  it('lets only an upgrade change an older schema', () => {
    const opening = (version: number) => () => assertUpgraded(version, 9, 'database')
    for (const version of [0, 9, 10]) expect(opening(version)).not.to.throw()
    expect(opening(8)).to.throw(
      `The database has schema version 8, and release ${VERSION} needs version 9. ` +
        'The store is upgraded only when the service starts: run "upgrade check" first.',
    )
  })

  for (const [what, mark, supported] of [
    ['lets a release use a schema that it supports', { version: 8 }, 9],
    ['lets a release use a newer schema', { version: 9, readableFrom: 5, writableFrom: 7 }, 7],
    ['refuses a newer schema that it cannot read', { version: 9, readableFrom: 8, writableFrom: 7 }],
    ['refuses a newer schema that it cannot write', { version: 9, readableFrom: 7, writableFrom: 8 }],
    ['refuses a newer schema without the oldest usable release', { version: 9 }],
  ] as const)
    it(what, () => {
      if (supported === undefined) expect(open(mark, 7)).to.throw('incompatible-store')
      else expect(open(mark, supported)).not.to.throw()
    })

  it('tells the operator which release to install', () => {
    const mark = { version: 9, readableFrom: 9, writableFrom: 9, release: '1.2.0' }
    expect(open(mark, 7)).to.throw(
      'The database has schema version 9, but this release supports only versions up to 7: ' +
        'it was written by release 1.2.0. Install that release, or set DATABASE_URL to another database.',
    )
  })
})
