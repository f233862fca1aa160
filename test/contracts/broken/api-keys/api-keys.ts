import type { ApiKeyDigest, ApiKeyId } from '../../../../src/domain/access/api-key.js'
import { type Breakage, breakageOf, COPIES, everybodyElse } from '../breakage.js'

const apiKeys = breakageOf('apiKeys')

export const brokenApiKeys: readonly Breakage[] = [
  apiKeys('roles are left out', ['a key is found by its digest, with its roles'], (inner) => ({
    async find(digest) {
      const key = await inner.find(digest)
      return key && { ...key, roles: [] }
    },
  })),
  apiKeys('digests are compared without regard to case', ['a digest of no key finds nothing'], (inner) => ({
    find: (digest) => inner.find(digest.toLowerCase() as ApiKeyDigest),
  })),
  apiKeys('unknown roles are left out', ['with an unknown role no key is made'], (inner, store) => ({
    async insert(key) {
      const known = (await store.roles.list()).map((role) => role.key)
      return await inner.insert({ ...key, roles: key.roles.filter((role) => known.includes(role)) })
    },
  })),
  apiKeys(
    'the key is made before its roles are checked',
    ['with an unknown role no key is made'],
    (inner) => ({
      async insert(key) {
        const answer = await inner.insert(key)
        if (answer.kind === 'unknown-role') await inner.insert({ ...key, roles: [] })
        return answer
      },
    }),
  ),
  apiKeys('keys are listed by name', ['keys are listed by id'], (inner) => ({
    list: async () => (await inner.list()).toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  })),
  apiKeys('the next id is counted, then used', ['16 keys made at once have 16 ids'], (inner) => ({
    async insert(key) {
      const count = (await inner.list()).length
      await everybodyElse()
      const answer = await inner.insert(key)
      return answer.kind === 'inserted' ? { ...answer, id: (count + 1) as ApiKeyId } : answer
    },
  })),
  apiKeys(
    'a revoked key is still found',
    ['a revoked key is found no more and stays in the list'],
    (inner) => ({
      async revoke(id) {
        return (await inner.list()).some((key) => key.id === id) ? 'revoked' : 'unknown'
      },
    }),
  ),
  apiKeys(
    'a revoked key is not listed',
    ['a revoked key is found no more and stays in the list'],
    (inner) => ({
      list: async () => (await inner.list()).filter((key) => key.revokedAt === undefined),
    }),
  ),
  apiKeys(
    'a revocation is looked up, then made',
    ['of 16 revocations of one key at once exactly one revokes'],
    (inner) => ({
      async revoke(id, at) {
        const before = (await inner.list()).find((key) => key.id === id)
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
      async find(digest) {
        const key = await inner.find(digest)
        return key && { ...key, name: names.get(digest)?.name ?? key.name }
      },
    }
  }),
]
