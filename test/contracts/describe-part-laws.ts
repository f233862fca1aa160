import type { PortLaw } from '../../src/contracts/index.js'
import { describeBugs, type PlantedBug } from './describe-bugs.js'

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
