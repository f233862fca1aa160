import type { Rows } from '../../../src/application/table.js'
import { USE_CASE_TABLES } from '../../../src/application/wiring.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import type { Proofs, ProofUse } from '../../../src/ports/proofs.js'
import type { Bug } from '../instance.js'
import { inStore, type PlantedBugs } from './changes.js'

type LoginParts = {
  readonly accounts: Pick<Accounts, 'find'>
  readonly proofs: Pick<Proofs, 'consume'>
  readonly presentProof: (...given: readonly unknown[]) => Promise<{ readonly use: ProofUse }>
  readonly proveFactor: (...given: readonly unknown[]) => Promise<unknown>
}

/** A use case that gets different parts. */
function withParts(name: 'confirmLoginMail' | 'confirmSignUp', change: (parts: LoginParts) => object): Bug {
  const rows: Rows = USE_CASE_TABLES.stateful.rows
  const row = rows[name]
  const factory = (parts: LoginParts) => row?.factory({ ...parts, ...change(parts) } as never)
  return { rows: { [name]: { ...row, factory } as Rows[string] } }
}

const LOGINS: PlantedBugs = {
  'a login by email needs no second factor': withParts('confirmLoginMail', ({ accounts }) => ({
    accounts: {
      find: async (id: never) => {
        const found = await accounts.find(id)
        return found && { ...found, secondFactor: undefined }
      },
    },
  })),
  'a login by email is used up before the second factor is proven': withParts(
    'confirmLoginMail',
    ({ presentProof, proofs }) => {
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
    ({ proveFactor }) => ({
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
