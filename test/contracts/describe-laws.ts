import { AssertionError } from 'node:assert/strict'
import { expect } from 'chai'
import { type PortLaw, storeLaws } from '../../src/contracts/index.js'
import type { Law } from '../../src/contracts/law.js'
import type { GivenStore } from '../../src/ports/given-store.js'

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

/** An adapter with one planted bug; `open` creates a new adapter for each law. */
export type BrokenPart<Part> = PlantedBug & { readonly open: () => Part | Promise<Part> }

type Cases<Part> = {
  readonly laws: readonly PortLaw<string, Part>[]
  /** Every adapter in the package, by name; each law gets a new instance. */
  readonly sound: Readonly<Record<string, () => Part | Promise<Part>>>
  readonly broken: readonly BrokenPart<Part>[]
}

export function describePartLaws<Part>(port: string, { laws, sound, broken }: Cases<Part>): void {
  describe(`the laws of the ${port}`, () => {
    for (const [name, open] of Object.entries(sound)) {
      for (const law of laws) {
        it(`hold for ${name}: ${law.name}`, async () => await law.check(await open()))
      }
    }

    describeBugs(laws, broken, async (law, bug) => await law.check(await bug.open()))
  })
}

/** The ports to check, which `npm run near` sets; empty for all ports. */
const CHOSEN = (process.env['LAWS_OF'] ?? '').split(' ')

/** Runs every law on a new store that `open` returns, and closes the store. */
export function describeStoreLaws(
  name: string,
  open: () => Promise<GivenStore>,
  laws: readonly Law[] = storeLaws,
): void {
  const all = [...new Set(laws.map((law) => law.port))]
  const isChosen = CHOSEN.every((port) => all.some((one) => one === port))
  describe(`${name} passes every law of`, () => {
    for (const port of isChosen ? all.filter((one) => CHOSEN.includes(one)) : all) {
      describe(port, () => {
        for (const law of laws.filter((one) => one.port === port)) {
          it(law.name, async () => await checkOn(await open(), law))
        }
      })
    }
  })
}

async function checkOn(store: GivenStore, law: Law): Promise<void> {
  try {
    await law.check(store)
  } finally {
    await store.close()
  }
}
