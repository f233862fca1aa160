import { AssertionError } from 'node:assert/strict'
import { expect } from 'chai'
import type { PortLaw } from '../../src/contracts/index.js'

/** A part with one mistake, and the laws that see it. */
export type BrokenPart<Part> = {
  readonly name: string
  readonly breaks: readonly string[]
  /** Fresh for each law. */
  readonly open: () => Part | Promise<Part>
}

type Cases<Part> = {
  readonly laws: readonly PortLaw<string, Part>[]
  /** Every adapter that is shipped, fresh for each law. */
  readonly sound: Readonly<Record<string, () => Part | Promise<Part>>>
  readonly broken: readonly BrokenPart<Part>[]
}

/** What a broken part throws on purpose. */
export class PartFailure extends Error {}

/** The adapters keep the laws of their port, and each law is seen to fail where it is broken. */
export function describePartLaws<Part>(port: string, { laws, sound, broken }: Cases<Part>): void {
  describe(`the laws of the ${port}`, () => {
    for (const [name, open] of Object.entries(sound)) {
      for (const law of laws) {
        it(`are kept by ${name}: ${law.name}`, async () => await law.check(await open()))
      }
    }

    it('have names of their own and say what they protect', () => {
      expect(laws).to.not.be.empty
      expect(new Set(laws.map(({ name }) => name))).to.have.lengthOf(laws.length)
      for (const { name, protects } of laws) expect(protects, name).to.match(/^[A-Z].*\.$/)
    })

    it('are each seen to fail on a broken one', () => {
      const seen = new Set(broken.flatMap(({ breaks }) => breaks))
      expect(laws.map(({ name }) => name).filter((name) => !seen.has(name))).to.deep.equal([])
    })

    for (const { name, breaks, open } of broken) {
      it(`fail where ${name}`, async () => {
        for (const broke of breaks) {
          const law = laws.find((one) => one.name === broke)
          if (!law) expect.fail(`there is no law "${broke}"`)
          const failure: unknown = await law.check(await open()).catch((error: unknown) => error)
          const isVerdict = failure instanceof AssertionError || failure instanceof PartFailure
          expect(isVerdict, `${broke}: ${String(failure)}`).to.equal(true)
        }
      })
    }
  })
}
