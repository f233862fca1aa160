import type { ApiKeyId } from '../../domain/access/api-key.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import { fields, id, optional } from '../fields.js'
import { count } from '../inputs.js'
import { operation } from '../operation.js'

/** The largest array; a page of this size is the whole list. */
const ALL = 2 ** 31 - 1

/**
 * API keys with an ID above `after`, ascending, also revoked and expired keys, at most `limit`; all of them by default. No key
 * and no digest is in the list.
 */
export const listApiKeys = operation({
  permission: ['apikey', 'list'],
  input: fields({ after: optional(id<ApiKeyId>()), limit: optional(count) }),
  parts: ['apiKeys'],
  run:
    ({ apiKeys }: { apiKeys: ApiKeys }) =>
    async ({ after, limit = ALL }) =>
      await apiKeys.page(after, limit),
})
