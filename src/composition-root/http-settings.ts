import type { HttpPermissions, HttpSettings } from '../http/settings.js'
import { ANONYMOUS } from '../domain/access/caller.js'
import { ACTIONS, type Component } from '../domain/access/components.js'
import type { Permissions } from '../domain/access/permissions.js'
import type { PublicKey } from '../ports/token-format.js'
import type { Configuration } from '../configuration/configuration.js'

/** What the HTTP adapter has to be told. */
export function httpSettings(
  { production, http, identity, passwords, pets, permissions }: Configuration,
  publicUrl: string,
  publicKeys: readonly PublicKey[],
): HttpSettings {
  return {
    publicUrl,
    production,
    stateless: identity.stateless !== undefined,
    publicKeys,
    authorizationHeader: identity.authorizationHeader,
    trustProxy: http.trustProxy,
    cookie: identity.cookie,
    apiKeyHeader: pets.apiKeyHeader,
    petSecurity: pets.security,
    limitsAttempts: identity.loginLimit !== undefined,
    corsOrigins: http.corsOrigins,
    passwordMinLength: passwords.minLength,
    bodyLimit: http.bodyLimit,
    docs: http.docs,
    grantedTo: httpPermissions(permissions),
  }
}

/** Who may do each action over HTTP. */
export function httpPermissions(permissions: Permissions): HttpPermissions {
  const entries = Object.entries(ACTIONS).flatMap(([component, actions]) =>
    actions.map((action) => [
      `${component}:${action}`,
      permissions.grantedTo(component as Component, action),
    ]),
  )
  return { ...(Object.fromEntries(entries) as HttpPermissions), ...openPermissions(permissions) }
}

/** A caller who logs in or requests a reset is anonymous, so what a role is permitted opens neither. */
function openPermissions(
  permissions: Permissions,
): Pick<HttpPermissions, 'auth:login' | 'auth:reset-password'> {
  const login =
    permissions.allows(ANONYMOUS, 'auth', 'login') && permissions.allows(ANONYMOUS, 'user', 'find')
  const reset = permissions.allows(ANONYMOUS, 'auth', 'reset-password')
  return { 'auth:login': login ? 'everyone' : 'nobody', 'auth:reset-password': reset ? 'everyone' : 'nobody' }
}
