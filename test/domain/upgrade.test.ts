import { expect } from 'chai'
import { adviseUpgrade, nameOf, reasonNotToFinish, type StoreSchema } from '../../src/domain/upgrade.js'
import { VERSION } from '../../src/domain/version.js'

const MINUTE = 60_000
const NOW = 100 * MINUTE
const SAME = { version: 9, release: '1.0.0', current: 9, oldestUsable: 7, isFinished: true, instances: [] }

const instance = (schema: number, minutesAgo: number) => ({
  ...{ id: `web-${schema}`, release: `0.${schema}.0`, schema },
  servedAt: NOW - minutesAgo * MINUTE,
})

describe('the advice before an upgrade', () => {
  const CASES: Readonly<
    Record<string, readonly [store: Partial<StoreSchema>, answer: 'rolling' | 'stop-first', reason: string]>
  > = {
    'an empty store': [{ version: 0 }, 'rolling', 'The store is empty: start the service.'],
    'a store that does not change': [{}, 'rolling', `release ${VERSION} does not change it`],
    'a store of a newer release': [{ version: 10 }, 'rolling', `release ${VERSION} can use it`],
    'a store whose earlier releases stay usable': [
      { version: 8, instances: [instance(7, 1)] },
      ...(['rolling', 'which instances of schema 7 can use too'] as const),
    ],
    'a serving instance that is too old for the next schema': [
      { version: 8, instances: [instance(6, 4)] },
      ...(['stop-first', 'which earlier releases cannot use'] as const),
    ],
    'a release without records': [
      { version: 8, release: undefined },
      ...(['stop-first', 'Releases up to 0.8.0 leave no record of their instances'] as const),
    ],
  }
  for (const [what, [store, answer, reason]] of Object.entries(CASES))
    it(`is ${answer} for ${what}`, () => {
      const advice = adviseUpgrade({ ...SAME, ...store }, NOW)
      expect(advice.answer).to.equal(answer)
      expect(advice.reason).to.contain(reason)
    })

  it('lists the instances that ran within the last 5 minutes', () => {
    const instances = [instance(9, 1), instance(8, 4.9), instance(7, 5)]
    expect(adviseUpgrade({ ...SAME, instances }, NOW).instances).to.deep.equal(instances.slice(0, 2))
  })
})

describe('finishing an upgrade', () => {
  const reason = (store: Partial<StoreSchema>) => reasonNotToFinish({ ...SAME, ...store }, NOW)

  it('is allowed if no older instance has run recently', () => {
    expect(reason({ instances: [instance(9, 0), instance(8, 5)] })).to.equal(undefined)
  })

  it('is refused with the name, the release and the time of an older instance', () => {
    const older = instance(8, 4)
    expect(nameOf(older)).to.equal('web-8 of release 0.8.0, which served at 1970-01-01T01:36:00.000Z')
    expect(reason({ instances: [instance(9, 0), older] })).to.contain(`stop ${nameOf(older)}.`)
  })

  it('is refused if the schema belongs to a different release', () => {
    expect(reason({ version: 8 })).to.contain('start the service first')
    expect(reason({ version: 10 })).to.contain('run the command "upgrade finish" of that release')
  })
})
