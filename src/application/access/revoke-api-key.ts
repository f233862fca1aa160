import { apiKeyId } from '../../domain/access/api-key.js'
import { Refusal } from '../../domain/refusal.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Clock } from '../../ports/clock.js'
import { parseFields } from '../fields.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorized } from './authorize.js'

/**
 * Revokes an API key: after it returns no request with it succeeds. One that was revoked before
 * keeps its date. Refuses with `forbidden`, `invalid` and `not-found`.
 */
export type RevokeApiKey = (input: {
  authorized: Authorized<'apikey', 'revoke'>
  id: string
}) => Promise<void>

/** Takes the proof of `apikey: revoke`. */
export function createRevokeApiKey(parts: {
  apiKeys: ApiKeys
  audit: AuditTrail
  clock: Clock
}): RevokeApiKey {
  return async ({ authorized: { caller }, ...fields }) => {
    const { id } = parseFields({ id: apiKeyId(fields.id) })
    if ((await parts.apiKeys.revoke(id, parts.clock())) === 'unknown') throw noSuchKey()
    await parts.audit.record({ event: 'apikey.revoke', caller, what: `apikey:${id}` })
  }
}

function noSuchKey(): Refusal {
  return new Refusal('not-found', [
    { field: 'id', type: 'NotFound', message: 'There is no API key with this id.' },
  ])
}
