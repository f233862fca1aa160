import { apiKeyId } from '../../domain/access/api-key.js'
import { refuseField } from '../../domain/refusal.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Clock } from '../../ports/clock.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, parseFields, text } from '../fields.js'
import { operation } from '../operation.js'

/**
 * Revokes an API key: after it resolves no request with the key succeeds. A key that was revoked before keeps its date. Refuses
 * with `invalid` and `not-found`.
 */
export const revokeApiKey = operation({
  permission: ['apikey', 'revoke'],
  input: fields({ id: text }),
  parts: ['apiKeys', 'audit', 'clock'],
  run:
    ({ apiKeys, audit, clock }: { apiKeys: ApiKeys; audit: AuditTrail; clock: Clock }) =>
    async ({ caller, ...input }) => {
      const { id } = parseFields({ id: apiKeyId(input.id) })
      if ((await apiKeys.revoke(id, clock())) === 'unknown')
        throw refuseField('not-found', 'id', 'NotFound', 'There is no API key with this id.')
      await audit.record({ event: 'apikey.revoke', caller, what: `apikey:${id}` })
    },
})
