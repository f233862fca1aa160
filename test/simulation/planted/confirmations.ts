import type { Accounts } from '../../../src/ports/accounts.js'
import type { Proofs, ProofUse } from '../../../src/ports/proofs.js'
import { inStore, withParts, type PlantedBugs } from './changes.js'

type LoginParts = {
  readonly accounts: Pick<Accounts, 'find'>
  readonly proofs: Pick<Proofs, 'consume'>
  readonly presentProof: (...given: readonly unknown[]) => Promise<{ readonly use: ProofUse }>
  readonly proveFactor: (...given: readonly unknown[]) => Promise<unknown>
}

const LOGINS: PlantedBugs = {
  'a login by email needs no second factor': withParts('confirmLoginMail', ({ accounts }: LoginParts) => ({
    accounts: {
      find: async (id: never) => {
        const found = await accounts.find(id)
        return found && { ...found, secondFactor: undefined }
      },
    },
  })),
  'a login by email is used up before the second factor is proven': withParts(
    'confirmLoginMail',
    ({ presentProof, proofs }: LoginParts) => {
      const outcomes = new Map<ProofUse, Awaited<ReturnType<Proofs['consume']>>>()
      return {
        presentProof: async (...given: readonly unknown[]) => {
          const presented = await presentProof(...given)
          outcomes.set(presented.use, await proofs.consume(presented.use))
          return presented
        },
        proofs: { consume: (use: ProofUse) => Promise.resolve(outcomes.get(use) ?? 'spent') },
      }
    },
  ),
  'a login by email accepts any code of the second factor': withParts(
    'confirmLoginMail',
    ({ proveFactor }: LoginParts) => ({
      proveFactor: async (...given: readonly unknown[]) => (await proveFactor(...given)) ?? 1,
    }),
  ),
}

const SIGN_UPS: PlantedBugs = {
  'an account that waits for approval is logged in': withParts('confirmSignUp', () => ({
    signUp: { mode: 'on', domains: [] },
  })),
  'any disabled account counts as waiting for approval': inStore('accounts', ({ find }) => ({
    async find(id) {
      const found = await find(id)
      return found?.disabledAt === undefined ? found : { ...found, createdAt: found.disabledAt }
    },
  })),
}

export const CONFIRMATIONS: PlantedBugs = { ...LOGINS, ...SIGN_UPS }
