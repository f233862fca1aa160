import {
  createPresentProof,
  type PresentProof,
} from '../../../src/application/identity/proofs/present-proof.js'
import { USE_CASE_TABLES } from '../../../src/application/wiring.js'
import type { Proof, ProofRenewal } from '../../../src/domain/identity/proof.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import type { Proofs, ProofUse } from '../../../src/ports/proofs.js'
import type { Bug } from '../instance.js'
import { inStore, inUseCases, type Bound, type PlantedBugs, withParts } from './changes.js'

type Parts = Parameters<typeof createPresentProof>[0]

/** Replaces the check of a presented proof. */
function presenting(change: (parts: Parts) => PresentProof): Bug {
  return {
    rows: { presentProof: { ...USE_CASE_TABLES.stateful.rows['presentProof'], factory: change } as never },
  }
}

/** Returns all other proofs that can undo a change of the account's email. */
const undosOf = async ({ listOf }: Bound<Proofs>, { id, accountId }: Proof) =>
  (await listOf(accountId as never)).filter((one) => one.purpose === 'undo-email' && one.id !== id)

const USES: PlantedBugs = {
  'a proof of a login is not used up': inStore('proofs', ({ find, consume, issue }) => ({
    async consume(use) {
      const proof = await find(use)
      const outcome = await consume(use)
      if (proof && outcome === 'consumed') await issue(proof)
      return outcome
    },
  })),
  'a proof of a login is checked and used up in two calls': inUseCases('proofs', ({ find, consume }) => ({
    async consume(use) {
      if (!(await find(use))) return 'spent'
      await consume(use)
      return 'consumed'
    },
  })),
  'a change of email logs in': {
    ...presenting((parts) => {
      const present = createPresentProof(parts)
      return async (given, ...purposes) => await present(given, ...purposes, 'change-email')
    }),
    ...inStore('proofs', ({ find, consume, remove }) => ({
      async consume(use) {
        const proof = await find(use)
        if (proof?.purpose !== 'change-email') return await consume(use)
        await remove(proof.id, use.at)
        return 'consumed'
      },
    })),
    theme: 'emailChanges',
  },
  'a sign-up sets the password of the account that has the email': inStore(
    'proofs',
    ({ find, createAccount }, { accounts }) => ({
      async createAccount(proven) {
        const proof = await find(proven)
        const outcome = await createAccount(proven)
        const known = outcome.kind === 'email-taken' && proof && (await accounts.findByEmail(proof.email))
        const { passwordHash } = proven.account
        if (!known || !passwordHash) return outcome
        await accounts.setPassword(known.id, passwordHash)
        return { kind: 'created', id: known.id }
      },
    }),
  ),
  'a proof outlives the password with which it was requested': inStore('proofs', ({ issue }) => ({
    issue: async ({ epoch: _, ...proof }) => await issue(proof),
  })),
  "an operator's change of the email keeps the undo links": inStore('proofs', ({ get, remove }) => ({
    async remove(id, at) {
      return (await get(id))?.purpose === 'undo-email' ? 'unknown' : await remove(id, at)
    },
  })),
  'a change of email ends the undo of the earlier change': inStore('proofs', (proofs) => ({
    async changeEmail(use, undo) {
      const outcome = await proofs.changeEmail(use, undo)
      if (outcome !== 'changed') return outcome
      for (const { id } of await undosOf(proofs, undo)) await proofs.remove(id, use.at)
      return outcome
    },
  })),
}

/** A bug in `renew`: after renewing the proof, the store also calls `more`. */
const renewing = (more: (proofs: Bound<Proofs>, before: Proof, after: Proof) => Promise<void>): Bug =>
  inStore('proofs', (proofs) => ({
    async renew(renewal) {
      const before = await proofs.get(renewal.id)
      const after = await proofs.renew(renewal)
      if (before && after) await more(proofs, before, after)
      return after
    },
  }))

const MAILS: PlantedBugs = {
  'the earlier token stays valid after the email is sent again': renewing(async ({ issue }, before) => {
    if (before.digest !== undefined) await issue({ ...before, id: `${before.id}-` as never })
  }),
  'sending an email again does not reset the attempts': renewing(
    async ({ issue }, { attempts }, after) => await issue({ ...after, attempts }),
  ),
  'an email that is sent late restores a removed proof': inStore(
    'proofs',
    ({ renew, get, issue, remove }) => {
      const removed = new Map<string, Proof>()
      return {
        async remove(id, at) {
          const proof = await get(id)
          if (proof) removed.set(id, proof)
          return await remove(id, at)
        },
        async renew(renewal: ProofRenewal) {
          const before = removed.get(renewal.id)
          if (before) await issue(before)
          return await renew(renewal)
        },
      }
    },
  ),
  'a revoked invitation stays valid': inStore('proofs', ({ get, remove }) => ({
    remove: async (id, at) => ((await get(id))?.purpose === 'invitation' ? 'removed' : await remove(id, at)),
  })),
}

const CODES: PlantedBugs = {
  'a code is accepted in another browser': inStore('proofs', ({ attempt, page }) => ({
    async attempt(binding, at) {
      const waiting = [...(await page('login', undefined, 100)), ...(await page('sign-up', undefined, 100))]
      const isKnown = waiting.some((proof) => proof.binding === binding)
      return await attempt((isKnown ? undefined : waiting.at(-1)?.binding) ?? binding, at)
    },
  })),
  'a code can be tried any number of times': inStore('proofs', ({ attempt, issue }) => ({
    async attempt(binding, at) {
      const proof = await attempt(binding, at)
      if (proof) await issue({ ...proof, attempts: 0 })
      return proof
    },
  })),
}

export const MAILED_PROOFS: PlantedBugs = { ...USES, ...MAILS, ...CODES }

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
