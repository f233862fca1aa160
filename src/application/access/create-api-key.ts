import { apiKeyExpiry, apiKeyName } from '../../domain/access/api-key.js'
import { defined } from '../../domain/defined.js'
import { accepted } from '../../domain/parsed.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Clock } from '../../ports/clock.js'
import type { ApiKeySecrets } from '../../ports/session-keys.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, listOf, optional, parseFields, text } from '../fields.js'
import { instant } from '../inputs.js'
import { operation } from '../operation.js'
import { roleKeys, unknownRole } from './role-keys.js'

type Parts = { apiKeys: ApiKeys; secrets: ApiKeySecrets; audit: AuditTrail; clock: Clock }

/**
 * Makes an API key. Only this answer holds the key: its digest alone is stored. The key is valid until `expiresAt`, at most ten
 * years ahead, or until it is revoked. Refuses with `invalid` (name, end, or the form of a role) and `not-found` (a role that is
 * not in the role table; then no key is made).
 */
export const createApiKey = operation({
  permission: ['apikey', 'create'],
  input: fields({ name: text, roles: listOf(text), expiresAt: optional(instant) }),
  parts: ['apiKeys', 'audit', 'clock'],
  renamed: { secrets: 'apiKeySecrets' },
  run:
    ({ apiKeys, secrets, audit, clock }: Parts) =>
    async ({ caller, ...input }) => {
      const createdAt = clock()
      const { name, expiresAt } = parseFields({
        name: apiKeyName(input.name),
        expiresAt:
          input.expiresAt === undefined ? accepted(undefined) : apiKeyExpiry(input.expiresAt, createdAt),
      })
      const roles = roleKeys(input.roles)
      const key = secrets.fresh()
      const digest = secrets.digest(key)
      const outcome = await apiKeys.insert({ name, roles, digest, createdAt, ...defined({ expiresAt }) })
      if (outcome.kind !== 'inserted') throw unknownRole(outcome.role)
      const { id } = outcome
      await audit.record({ event: 'apikey.create', caller, what: `apikey:${id}` })
      return { id, key }
    },
})
