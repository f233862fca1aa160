import { AssertionError } from 'node:assert/strict'
import { expect } from 'chai'
import type { PortLaw } from '../../src/contracts/index.js'

/** A bug that is planted in a correct part. Each law whose `port: name` matches `breaks` must detect the bug. */
export type PlantedBug = { readonly name: string; readonly breaks: RegExp }

export class PlantedError extends Error {}

/** Each law has a unique name and a reason, and at least one bug breaks it. */
export function describeBugs<Part, Bug extends PlantedBug>(
  laws: readonly PortLaw<string, Part>[],
  bugs: readonly Bug[],
  check: (law: PortLaw<string, Part>, bug: Bug) => Promise<void>,
): void {
  const labelled = laws.map((law) => ({ label: `${law.port}: ${law.name}`, law }))

  it('have unique names and state what they protect', () => {
    expect(laws).to.not.be.empty
    expect(new Set(labelled.map(({ label }) => label))).to.have.lengthOf(laws.length)
    for (const law of laws) expect(law.protects, law.name).to.match(/^[A-Z].*\.$/)
  })

  it('each fail for at least one planted bug', () => {
    const unbroken = labelled.filter(({ label }) => !bugs.some(({ breaks }) => breaks.test(label)))
    expect(unbroken.map(({ label }) => label)).to.deep.equal([])
  })

  for (const bug of bugs) {
    it(`fail if ${bug.name}`, async () => {
      const broken = labelled.filter(({ label }) => bug.breaks.test(label))
      expect(broken).to.not.be.empty
      for (const { label, law } of broken) {
        const failure: unknown = await check(law, bug).catch((error: unknown) => error)
        const isVerdict = failure instanceof AssertionError || failure instanceof PlantedError
        expect(isVerdict, `${label}: ${String(failure)}`).to.equal(true)
      }
    })
  }
}
