import type { ApiKeyDigest, ApiKeyId } from '../../../src/domain/access/api-key.js'
import { type Breakage, breakageOf, COPIES, everybodyElse, StoreError } from './breakage.js'

const apiKeys = breakageOf('apiKeys')
const ENDS = 'a key is found until it expires, and is listed with its end'
const USES = 'the last use of a key is kept, and an earlier one does not take its place'

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
  apiKeys(
    'the use of a key that is not there is an error',
    ['the use of a key that is not there is no error, and makes none'],
    (inner) => ({
      async recordUse(id, at) {
        if (!(await inner.page(undefined, 100)).some((key) => key.id === id)) throw new StoreError()
        await inner.recordUse(id, at)
      },
    }),
  ),
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
  apiKeys(
    'a revoked key is not listed',
    ['a revoked key is found no more and stays in the list'],
    (inner) => ({
      page: async (after, limit) =>
        (await inner.page(after, limit)).filter((key) => key.revokedAt === undefined),
    }),
  ),
  apiKeys(
    'a revocation is looked up, then made',
    ['of 16 revocations of one key at once exactly one revokes'],
    (inner) => ({
      async revoke(id, at) {
        const before = (await inner.page(undefined, 100)).find((key) => key.id === id)
        await everybodyElse()
        const answer = await inner.revoke(id, at)
        return answer === 'already-revoked' && before?.revokedAt === undefined ? 'revoked' : answer
      },
    }),
  ),
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
