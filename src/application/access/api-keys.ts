import {
  apiKeyExpiry,
  apiKeyId,
  apiKeyName,
  type ApiKeyCreator,
  type ApiKeyId,
} from '../../domain/access/api-key.js'
import type { Caller } from '../../domain/access/caller.js'
import { accepted } from '../../domain/parsed.js'
import { defined } from '../../domain/plain-data.js'
import { refuseField } from '../../domain/refusal.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { ApiKeySecrets } from '../../ports/session-keys.js'
import { fields, id, listOf, optional, parseFields, text } from '../fields.js'
import { count, instant } from '../inputs.js'
import { operation } from '../operation.js'
import type { GivenShared } from '../shared-parts.js'
import { givenRoles, unknownRole } from './roles.js'
import { within } from './within.js'

type Parts = GivenShared<['apiKeys', 'authorize', 'assertWithin', 'audit', 'clock']> & {
  secrets: ApiKeySecrets
}

/**
 * Creates an API key. Only the return value contains the key, because the store keeps only the digest of the key. The key is valid until it
 * is revoked or until `expiresAt`, which may be at most ten years ahead. A key becomes invalid when the account that created it is disabled
 * or deleted. If a key creates another key, both have the same creator. Assigning roles also requires the permission `user-task: role`.
 * Refuses the call with `invalid` (name, expiry, or a malformed role key) or `not-found` (a role that is not in the role table; then no key
 * is created).
 */
export const createApiKey = operation({
  permission: ['apikey', 'create'],
  input: fields({ name: text, roles: listOf(text), expiresAt: optional(instant), within }),
  parts: ['apiKeys', 'assertWithin', 'audit', 'clock'],
  renamed: { secrets: 'apiKeySecrets' },
  run:
    ({ apiKeys, secrets, audit, clock, ...parts }: Parts) =>
    async (input) => {
      const { caller } = input
      const roles = givenRoles(parts, input, input.roles)
      const createdAt = clock()
      const { name, expiresAt } = parseFields({
        name: apiKeyName(input.name),
        expiresAt:
          input.expiresAt === undefined ? accepted(undefined) : apiKeyExpiry(input.expiresAt, createdAt),
      })
      const key = secrets.fresh()
      const digest = secrets.digest(key)
      const createdBy = await creatorOf(caller, apiKeys)
      const life = defined({ createdBy, expiresAt })
      const outcome = await apiKeys.insert({ name, roles, digest, createdAt, ...life })
      if (outcome.kind !== 'inserted') throw unknownRole(outcome.role)
      const { id } = outcome
      await audit.record({ event: 'apikey.create', caller, what: `apikey:${id}` })
      return { id, key }
    },
})

/**
 * For a caller with an API key, resolves with the creator of that key. Every key therefore becomes invalid together with the account of its
 * creator.
 */
async function creatorOf(caller: Caller, apiKeys: ApiKeys): Promise<ApiKeyCreator | undefined> {
  if (caller.kind === 'cli') return 'cli'
  if (caller.kind !== 'api-key') return caller.kind === 'account' ? caller.accountId : undefined
  const [key] = await apiKeys.page((caller.apiKeyId - 1) as ApiKeyId, 1)
  return key?.id === caller.apiKeyId ? key.createdBy : undefined
}

const ALL = 2 ** 31 - 1

/**
 * Returns the API keys with an ID above `after` in ascending order, at most `limit` (default: all), including revoked and expired keys. The
 * result contains no secret keys and no digests.
 */
export const listApiKeys = operation({
  permission: ['apikey', 'list'],
  input: fields({ after: optional(id<ApiKeyId>()), limit: optional(count) }),
  parts: ['apiKeys'],
  run:
    ({ apiKeys }) =>
    async ({ after, limit = ALL }) =>
      await apiKeys.page(after, limit),
})

/**
 * Revokes an API key: once the call resolves, no request with the key succeeds. A key that was already revoked keeps its revocation date.
 * Refuses the call with `invalid` or `not-found`.
 */
export const revokeApiKey = operation({
  permission: ['apikey', 'revoke'],
  input: fields({ id: text, within }),
  parts: ['apiKeys', 'assertWithin', 'audit', 'clock'],
  run:
    ({ apiKeys, assertWithin, audit, clock }) =>
    async (call) => {
      const { id } = parseFields({ id: apiKeyId(call.id) })
      if (call.within) {
        const [key] = await apiKeys.page((id - 1) as ApiKeyId, 1)
        if (key?.id === id)
          assertWithin(
            call,
            key.roles.map((role) => role.key),
          )
      }
      if ((await apiKeys.revoke(id, clock())) === 'unknown')
        throw refuseField('not-found', 'id', 'NotFound', 'There is no API key with this id.')
      await audit.record({ event: 'apikey.revoke', caller: call.caller, what: `apikey:${id}` })
    },
})
