import { apiKeyExpiry, apiKeyName, type ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import { accepted } from '../../domain/parsed.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Clock } from '../../ports/clock.js'
import type { ApiKeySecrets } from '../../ports/session-keys.js'
import { parseFields } from '../fields.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorized } from './authorize.js'
import { roleKeys, unknownRole } from './role-keys.js'

/**
 * Makes an API key. The key itself is in this answer and nowhere else: only its digest is
 * stored. It is good until `expiresAt`, at most ten years ahead, or until it is revoked. Refuses with `forbidden`,
 * `invalid` (name, end, or a role's form) and `not-found` (a role that is not in the role table; then no key is made).
 */
export type CreateApiKey = (input: {
  authorized: Authorized<'apikey', 'create'>
  name: string
  roles: readonly string[]
  expiresAt?: Instant | undefined
}) => Promise<{ readonly id: ApiKeyId; readonly key: string }>

/** Takes the proof of `apikey: create`. The key itself is in the answer and nowhere else. */
export function createCreateApiKey(parts: {
  apiKeys: ApiKeys
  secrets: ApiKeySecrets
  audit: AuditTrail
  clock: Clock
}): CreateApiKey {
  return async ({ authorized: { caller }, ...input }) => {
    const createdAt = parts.clock()
    const { name, expiresAt } = parseFields({
      name: apiKeyName(input.name),
      expiresAt:
        input.expiresAt === undefined ? accepted(undefined) : apiKeyExpiry(input.expiresAt, createdAt),
    })
    const roles = roleKeys(input.roles)
    const key = parts.secrets.fresh()
    const outcome = await parts.apiKeys.insert({
      name,
      roles,
      digest: parts.secrets.digest(key),
      createdAt,
      ...(expiresAt !== undefined && { expiresAt }),
    })
    if (outcome.kind !== 'inserted') throw unknownRole(outcome.role)
    const { id } = outcome
    await parts.audit.record({ event: 'apikey.create', caller, what: `apikey:${id}` })
    return { id, key }
  }
}
