import type { Role } from '../../../src/domain/access/role.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { ActiveSession } from '../../../src/domain/identity/session.js'
import {
  createRefuseLapsedSession,
  type RefuseLapsed,
} from '../../../src/application/identity/impersonation/guards.js'
import { USE_CASE_TABLES } from '../../../src/application/wiring.js'
import type { Bug } from '../instance.js'
import { inStore, inTheme, inUseCases, type Change, type PlantedBugs } from './changes.js'

const PASSWORDS: PlantedBugs = {
  'a changed password keeps the epoch': inStore('accounts', ({ setPassword, replaceHash, find }) => ({
    async setPassword(id, hash) {
      const account = await find(id)
      if (!account?.passwordHash) return await setPassword(id, hash)
      await replaceHash(id, account.passwordHash, hash)
      return 'set'
    },
  })),
  'a password is changed in two calls': inUseCases('accounts', ({ find, setPassword }) => ({
    async changePassword({ id, expected, next }) {
      const found = await find(id)
      if (found?.passwordHash !== expected || found.disabledAt !== undefined) return undefined
      await setPassword(id, next)
      return (await find(id))?.epoch
    },
  })),
  'the epoch is incremented before the password is set': inUseCases(
    'accounts',
    ({ find, replaceHash }, { sessions }) => ({
      async setPassword(id, hash) {
        await sessions.endAllOf(id)
        const before = (await find(id))?.passwordHash
        if (before === undefined) return 'unknown'
        await replaceHash(id, before, hash)
        return 'set'
      },
    }),
  ),
  'a reset token is checked, and the password is set in a second call': inUseCases(
    'proofs',
    ({ find }, { accounts }) => ({
      async resetPassword(use, hash) {
        const { accountId = 0 as never } = (await find(use)) ?? {}
        return (await accounts.setPassword(accountId, hash)) === 'set' ? accountId : 'spent'
      },
    }),
  ),
  'a reset token outlives its expiry': inStore('proofs', ({ find, resetPassword }) => ({
    find: async (use) => await find({ ...use, at: use.at - 3_600_000 }),
    resetPassword: async (use, hash) => await resetPassword({ ...use, at: use.at - 3_600_000 }, hash),
  })),
}

const STATES: PlantedBugs = {
  'a reset proof ignores the epoch': inStore('proofs', ({ issue }) => ({
    issue: async ({ epoch: _, ...proof }) => {
      await issue(proof)
    },
  })),
  'a deletion ignores changes since the proof': inUseCases('accounts', ({ remove }) => ({
    remove: async (id) => await remove(id),
  })),
  'disabling an account has no effect': inStore('accounts', () => ({
    setDisabled: async () => await Promise.resolve('set'),
  })),
}

const EMAILS: PlantedBugs = inTheme('emailChanges', {
  'an operator changes an email, and the logins of the account continue': inStore(
    'accounts',
    ({ changeEmail, find }, { sessions }) => ({
      async changeEmail(change) {
        const kept = await sessions.pageOf({ accountId: change.id, limit: 99, at: 0 })
        const outcome = await changeEmail(change)
        const { epoch } = (await find(change.id)) as Account
        for (const one of kept) await sessions.open({ ...one, epoch })
        return outcome
      },
    }),
  ),
})

/** A bug in the impersonation check: changes the session that is checked. */
function inLapse(change: (found: ActiveSession) => Partial<ActiveSession>): Bug {
  const factory = (parts: never): RefuseLapsed => {
    const refuseLapsed = createRefuseLapsedSession(parts)
    return async (found, client) => await refuseLapsed({ ...found, ...change(found) }, client)
  }
  return { rows: { refuseLapsed: { ...USE_CASE_TABLES.stateful.rows['refuseLapsed'], factory } as never } }
}

/** Still finds an impersonation after the account of its actor has been disabled. */
const foundIfDisabled: Change<'sessions'> = ({ find }, { accounts }) => {
  const known = new Map<unknown, ActiveSession>()
  return {
    async find(key, at) {
      const found = await find(key, at)
      if (found?.session.actor) known.set(key, found)
      const before = found ? undefined : known.get(key)
      const actor = before?.session.actor && (await accounts.find(before.session.actor.accountId))
      return actor?.disabledAt === undefined ? found : before
    },
  }
}

const ADMIN = { uuid: 'admin', key: 'admin', label: 'admin' } as unknown as Role

const IMPERSONATIONS: PlantedBugs = {
  'an impersonation outlives the logins of its actor': inStore('sessions', ({ open }) => ({
    async open({ actor, ...session }) {
      const { accountId, epoch } = session
      await open(actor ? { ...session, actor: { ...actor, accountId, epoch } } : session)
    },
  })),
  'an impersonation outlasts the role of its actor': inLapse(() => ({ actorRoles: [ADMIN] })),
  'an impersonation outlasts the promotion of the other account': inLapse(({ account }) => ({
    account: { ...account, roles: [] },
  })),
  'an impersonation outlasts the disabled account of its actor': inStore('sessions', foundIfDisabled),
}

export const ACCOUNTS: PlantedBugs = { ...PASSWORDS, ...STATES, ...EMAILS, ...IMPERSONATIONS }
