import {
  apiKeyExpiry,
  apiKeyId,
  apiKeyName,
  hourOfUse,
  type ApiKeyCreator,
  type ApiKeyId,
  type ApiKey,
} from '../../domain/access/api-key.js'
import type { Caller, ApiKeyIdentity } from '../../domain/access/caller.js'
import type { Instant } from '../../domain/instant.js'
import { accepted } from '../../domain/parsed.js'
import { defined } from '../../domain/plain-data.js'
import { refuseField, refuse, type Refusal } from '../../domain/refusal.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { ApiKeySecrets } from '../../ports/session-keys.js'
import type { Clock } from '../../ports/system.js'
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

/**
 * Authenticates a program by its API key, in one read. Refuses an unknown, revoked or expired key with `invalid-credentials`. The first use
 * of the key in each hour is stored.
 */
export type AuthenticateApiKey = (apiKey: string) => Promise<ApiKeyIdentity>

export type AuthenticateApiKeyParts = { apiKeys: ApiKeys; secrets: ApiKeySecrets; clock: Clock }

export function createAuthenticateApiKey(parts: AuthenticateApiKeyParts): AuthenticateApiKey {
  const { apiKeys, secrets, clock } = parts
  const noteUse = createNoteKeyUse(apiKeys)
  return async (apiKey) => {
    const at = clock()
    const found = await apiKeys.find(secrets.digest(apiKey), at)
    if (!found) throw wrongCredentials('unknown, revoked or expired API key')
    noteUse(found, at)
    return { kind: 'api-key', apiKeyId: found.id, roles: found.roles }
  }
}

export function wrongCredentials(detail: string): Refusal {
  return refuse('invalid-credentials', 'NotValid', 'Valid credentials are required.', detail)
}

/** Stores the last use of a key. Returns immediately, so that no request waits for the write or fails because of it. */
export type NoteKeyUse = (key: ApiKey, at: Instant) => void

/** The maximum number of keys whose use is remembered; with more keys, some uses may be written again within the hour. */
const MOST = 1_000

/**
 * Writes at most once an hour for each key, based on the stored last use and on the writes of this process. A failed write is not retried
 * within the hour; otherwise every request would call a store that cannot write.
 */
export function createNoteKeyUse(apiKeys: Pick<ApiKeys, 'recordUse'>): NoteKeyUse {
  const written = new Map<ApiKeyId, Instant>()

  async function write(id: ApiKeyId, hour: Instant): Promise<void> {
    try {
      await apiKeys.recordUse(id, hour)
    } catch {
      // A use in a later hour is stored again; until then, `lastUsedAt` is too early or absent.
    }
  }

  return ({ id, lastUsedAt }, at) => {
    const hour = hourOfUse(at)
    if (lastUsedAt !== undefined && hour <= lastUsedAt) return
    if (hour <= (written.get(id) ?? Number.NEGATIVE_INFINITY)) return
    if (written.size >= MOST) written.clear()
    written.set(id, hour)
    void write(id, hour)
  }
}
