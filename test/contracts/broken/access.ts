import type { ApiKeyDigest, ApiKeyId } from '../../../src/domain/access/api-key.js'
import type { Role, RoleKey } from '../../../src/domain/access/role.js'
import { type Breakage, breakageOf, COPIES, everybodyElse, StoreError } from './breakage.js'

const roles = breakageOf('roles')
const SECOND = 'a second insert of a key is refused and changes nothing'
const INSERT_RACE = 'of 16 inserts of one key at once exactly one is inserted'
const ASSIGN = 'assign gives the role once, to that account only'
const MISSING = 'assign and unassign say which of the two is missing'
const CASE = 'keys of different case are different roles'
const ASSIGN_RACE = 'of 16 assignments of one role at once exactly one assigns'
const NONE_LOST = 'of 16 different roles assigned at once none is lost'
const UNASSIGN = 'unassign takes the role away, and only that one'

const apiKeys = breakageOf('apiKeys')
const NO_KEY = 'the use of a key that is not there is no error, and makes none'
const REVOKED = 'a revoked key is found no more and stays in the list'
const RACE = 'of 16 revocations of one key at once exactly one revokes'
const ENDS = 'a key is found until it expires, and is listed with its end'
const USES = 'the last use of a key is kept, and an earlier one does not take its place'

export const brokenRoles: readonly Breakage[] = [
  roles('roles are listed as they were made', ['roles are listed by key'], (inner) => ({
    list: async () => (await inner.list()).toReversed(),
  })),
  roles('an insert of a known key says that it was made', [SECOND], (inner) => ({
    async insert(role) {
      await inner.insert(role)
      return 'inserted'
    },
  })),
  roles('a key is looked up, then inserted', [INSERT_RACE], (inner) => ({
    async insert(role) {
      const known = (await inner.list()).some(({ key }) => key === role.key)
      await everybodyElse()
      if (!known) await inner.insert(role)
      return known ? 'duplicate-key' : 'inserted'
    },
  })),
  roles('assigning twice is not told apart', [ASSIGN], (inner) => ({
    async assign(email, key) {
      const answer = await inner.assign(email, key)
      return answer === 'already-assigned' ? 'assigned' : answer
    },
  })),
  roles('an unknown role is made on the way', [MISSING, CASE], (inner) => ({
    async assign(email, key) {
      await inner.insert({ uuid: key, key, label: key })
      return await inner.assign(email, key)
    },
  })),
  roles('a membership is looked up, then made', [ASSIGN_RACE], (inner, { accounts }) => ({
    async assign(email, key) {
      const held = (await accounts.findByEmail(email))?.roles.some((role) => role.key === key)
      await everybodyElse()
      const answer = await inner.assign(email, key)
      return answer === 'already-assigned' && held !== true ? 'assigned' : answer
    },
  })),
  roles('all roles are read, then written', [NONE_LOST], (inner, { accounts }) => ({
    async assign(email, key) {
      const before = (await accounts.findByEmail(email))?.roles ?? []
      await everybodyElse()
      const answer = await inner.assign(email, key)
      const now = (await accounts.findByEmail(email))?.roles ?? []
      const others = now.filter((role) => role.key !== key && !holds(before, role.key))
      for (const role of others) await inner.unassign(email, role.key)
      return answer
    },
  })),
  roles('unassign takes all roles', [UNASSIGN], (inner, { accounts }) => ({
    async unassign(email, key) {
      const answer = await inner.unassign(email, key)
      const left = (await accounts.findByEmail(email))?.roles ?? []
      for (const role of left) await inner.unassign(email, role.key)
      return answer
    },
  })),
  roles('labels are normalised', ['labels are kept exactly'], (inner) => ({
    insert: (role) => inner.insert({ ...role, label: role.label.normalize('NFD') }),
  })),
  roles('a role is kept as it was passed in', [COPIES], (inner) => {
    const kept: Role[] = []
    return {
      async insert(role) {
        kept.push(role)
        return await inner.insert(role)
      },
      list: async () => kept.map((role) => ({ ...role })),
    }
  }),
]

export const brokenApiKeys: readonly Breakage[] = [
  apiKeys('roles are left out', ['a key is found by its digest, with its roles'], (inner) => ({
    async find(digest, at) {
      const key = await inner.find(digest, at)
      return key && { ...key, roles: [] }
    },
  })),
  apiKeys('digests are compared without regard to case', ['a digest of no key finds nothing'], (inner) => ({
    find: (digest, at) => inner.find(digest.toLowerCase() as ApiKeyDigest, at),
  })),
  apiKeys('unknown roles are left out', ['with an unknown role no key is made'], (inner, store) => ({
    async insert(key) {
      const known = (await store.roles.list()).map((role) => role.key)
      return await inner.insert({ ...key, roles: key.roles.filter((role) => known.includes(role)) })
    },
  })),
  apiKeys('the end of a key is not kept', [ENDS], (inner) => ({
    insert: ({ name, digest, roles, createdAt }) => inner.insert({ name, digest, roles, createdAt }),
  })),
  apiKeys('no use is kept', [USES], () => ({
    recordUse: async () => {
      await Promise.resolve()
    },
  })),
  apiKeys('the use of a key that is not there is an error', [NO_KEY], (inner) => ({
    async recordUse(id, at) {
      if (!(await inner.page(undefined, 100)).some((key) => key.id === id)) throw new StoreError()
      await inner.recordUse(id, at)
    },
  })),
  apiKeys('keys are paged by their names', ['keys are listed by id'], (inner) => ({
    page: async (after, limit) =>
      (await inner.page(after, limit)).toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  })),
  apiKeys('the next id is counted, then used', ['16 keys made at once have 16 ids'], (inner) => ({
    async insert(key) {
      const count = (await inner.page(undefined, 100)).length
      await everybodyElse()
      const answer = await inner.insert(key)
      return answer.kind === 'inserted' ? { ...answer, id: (count + 1) as ApiKeyId } : answer
    },
  })),
  apiKeys('a revoked key is not listed', [REVOKED], (inner) => ({
    page: async (after, limit) =>
      (await inner.page(after, limit)).filter((key) => key.revokedAt === undefined),
  })),
  apiKeys('a revocation is looked up, then made', [RACE], (inner) => ({
    async revoke(id, at) {
      const before = (await inner.page(undefined, 100)).find((key) => key.id === id)
      await everybodyElse()
      const answer = await inner.revoke(id, at)
      return answer === 'already-revoked' && before?.revokedAt === undefined ? 'revoked' : answer
    },
  })),
  apiKeys('names are trimmed of quotes', ['names are kept exactly'], (inner) => ({
    insert: (key) => inner.insert({ ...key, name: key.name.replaceAll("'", '') }),
  })),
  apiKeys('a key is kept as it was passed in', [COPIES], (inner) => {
    const names = new Map<ApiKeyDigest, { readonly name: string }>()
    return {
      async insert(key) {
        names.set(key.digest, key)
        return await inner.insert(key)
      },
      async find(digest, at) {
        const key = await inner.find(digest, at)
        return key && { ...key, name: names.get(digest)?.name ?? key.name }
      },
    }
  }),
]

function holds(all: readonly Role[], key: RoleKey): boolean {
  return all.some((role) => role.key === key)
}
