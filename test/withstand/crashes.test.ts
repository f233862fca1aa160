import { expect } from 'chai'
import { describeWith } from '../support/required-tools.js'
import type { Bench, BenchOptions } from './checker.js'
import { crashesChecker } from './crashes/checker.js'

async function openBench(options: Omit<BenchOptions, 'note'>): Promise<Bench> {
  return await crashesChecker.open({ ...options, note: () => undefined })
}

/** Enough also where the machine has much else to do: services and servers are started by the dozen. */
const TIMEOUT = 900_000

describe('the checker crashes', () => {
  describe('on SQLite', () => {
    tried('sqlite', 1)
    for (const [planted, what] of Object.entries(crashesChecker.planted)) found(planted, what, 'sqlite', 12)
  })
  describeWith('mongod', 'on MongoDB', () => {
    tried('mongodb', 1)
    const what = crashesChecker.planted['unconfirmed'] ?? ''
    found('unconfirmed', what, 'mongodb', 12)
  })
})

function tried(store: 'sqlite' | 'mongodb', rounds: number): void {
  it(`finds nothing that is not allowed in ${String(rounds)} rounds`, async () => {
    const bench = await openBench({ store })
    try {
      for (let seed = 1; seed <= rounds; seed += 1) {
        const { violations, ...counts } = await bench.round(seed)
        expect(violations).to.deep.equal([])
        expect(counts.faults).to.be.greaterThan(0)
        expect(counts.operations).to.be.greaterThan(100)
      }
    } finally {
      await bench.close()
    }
  }).timeout(TIMEOUT)
}

function found(planted: string, what: string, store: 'sqlite' | 'mongodb', rounds: number): void {
  it(`finds that ${what}`, async () => {
    const bench = await openBench({ store, planted })
    try {
      const violations: string[] = []
      for (let seed = 1; seed <= rounds && violations.length === 0; seed += 1)
        violations.push(...(await bench.round(seed)).violations)
      expect(violations.length).to.be.greaterThan(0)
    } finally {
      await bench.close()
    }
  }).timeout(TIMEOUT)
}
