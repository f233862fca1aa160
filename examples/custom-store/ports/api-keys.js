import { nextId, rolesOf, unknownRole } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').ApiKeys>}
 */
export function apiKeysOf(state) {
  const { apiKeys } = state

  /** The key as the port shows it: roles in place of their keys, and no digest. */
  function shown(/** @type {typeof apiKeys[number]} */ { id, name, roles, createdAt, revokedAt }) {
    const key = { id, name, roles: rolesOf(state, roles), createdAt }
    return revokedAt === undefined ? key : { ...key, revokedAt }
  }

  return {
    insert(key) {
      const role = unknownRole(state, key.roles)
      if (role !== undefined) return { kind: 'unknown-role', role }
      const id = nextId(state, 'apiKeys')
      apiKeys.push({ ...key, id })
      return { kind: 'inserted', id }
    },
    find(digest) {
      const key = apiKeys.find((one) => one.digest === digest && one.revokedAt === undefined)
      return key && shown(key)
    },
    list: () => apiKeys.map(shown),
    revoke(id, at) {
      const key = apiKeys.find((one) => one.id === id)
      if (!key) return 'unknown'
      if (key.revokedAt !== undefined) return 'already-revoked'
      key.revokedAt = at
      return 'revoked'
    },
  }
}
