import { expect } from 'chai'
import { roundsOf } from './rounds-of.js'

const LEAST: Readonly<Record<string, number>> = { 'crashes-sqlite': 4, disk: 6, malformed: 5_000 }

describe('a service on SQLite under load', () => {
  for (const [name, faults] of Object.entries(LEAST))
    it(`keeps every acknowledged change and no refused change in the campaign ${name}`, async () => {
      const outcome = await roundsOf(name, { rounds: 1 })
      expect(outcome.violations).to.deep.equal([])
      expect(outcome.requests).to.be.greaterThan(faults)
      // Without permission to mount there are fewer failures of a disk, which then happen twice.
      expect(outcome.faults).to.equal(faults)
    })

  it('would show a logout that is acknowledged before it is done', async () => {
    const { violations } = await roundsOf('crashes-sqlite', { seed: 1, rounds: 1, planted: 'late-logout' })
    expect(violations.map(({ text }) => text).join()).to.include('a login that has ended got 200')
  })
})
