import { nextId, rolesOf, unknownRole } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').ApiKeys>}
 */
export function apiKeysOf(state) {
  const { apiKeys } = state

  /** Returns the key without its digest, and with full roles instead of role keys. */
  function shown(/** @type {typeof apiKeys[number]} */ key) {
    const { id, name, roles, createdAt, createdBy, revokedAt, expiresAt, lastUsedAt } = key
    return {
      ...{ id, name, roles: rolesOf(state, roles), createdAt },
      ...(createdBy !== undefined && { createdBy }),
      ...(revokedAt !== undefined && { revokedAt }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(lastUsedAt !== undefined && { lastUsedAt }),
    }
  }

  /** An account's key is not found once the account is disabled or removed. */
  function hasActiveCreator(/** @type {typeof apiKeys[number]} */ { createdBy = 'cli' }) {
    const account = state.accounts.find(({ id }) => id === createdBy)
    return createdBy === 'cli' || (account !== undefined && account.disabledAt === undefined)
  }

  return {
    insert(key) {
      const role = unknownRole(state, key.roles)
      if (role !== undefined) return { kind: 'unknown-role', role }
      const id = nextId(state, 'apiKeys')
      apiKeys.push({ ...key, id })
      return { kind: 'inserted', id }
    },
    find(digest, at) {
      const key = apiKeys.find((one) => one.digest === digest && isGood(one, at))
      return key && hasActiveCreator(key) ? shown(key) : undefined
    },
    page: (after = /** @type {typeof apiKeys[number]['id']} */ (0), limit) =>
      apiKeys
        .filter(({ id }) => id > after)
        .slice(0, limit)
        .map(shown),
    recordUse(id, at) {
      const key = apiKeys.find((one) => one.id === id)
      if (key && at > (key.lastUsedAt ?? -Infinity)) key.lastUsedAt = at
    },
    revoke(id, at) {
      const key = apiKeys.find((one) => one.id === id)
      if (!key) return 'unknown'
      if (key.revokedAt !== undefined) return 'already-revoked'
      key.revokedAt = at
      return 'revoked'
    },
    revokeAllOf(accountId, at) {
      for (const key of apiKeys) if (key.createdBy === accountId) key.revokedAt ??= at
    },
  }
}

/** A revoked or expired key is no longer found, and no longer has roles. */
export function isGood(
  /** @type {import('../state.js').State['apiKeys'][number]} */ { revokedAt, expiresAt = Infinity },
  /** @type {number} */ at,
) {
  return revokedAt === undefined && at < expiresAt
}
