import type { HttpPermissions, HttpSettings } from '../http/settings.js'
import { ANONYMOUS } from '../domain/access/caller.js'
import { ACTIONS, type Component } from '../domain/access/components.js'
import type { Permissions } from '../domain/access/permissions.js'
import { HTTP_NAMES, type HttpName } from '../configuration/settings.js'
import type { Settings } from '../configuration/derived.js'

/** The settings of the HTTP interface, with the origin and the keys of this service. */
export function httpSettings(
  settings: Settings,
  addressAndKeys: Pick<HttpSettings, 'publicUrl' | 'publicKeys'>,
): HttpSettings {
  const { cookie, limitsAttempts, permissions } = settings
  const picked = Object.fromEntries(HTTP_NAMES.map((name) => [name, settings[name]]))
  const grantedTo = httpPermissions(permissions)
  return { ...(picked as Pick<Settings, HttpName>), cookie, limitsAttempts, grantedTo, ...addressAndKeys }
}

/** Returns who may perform each action over HTTP. */
export function httpPermissions(permissions: Permissions): HttpPermissions {
  const entries = Object.entries(ACTIONS).flatMap(([component, actions]) =>
    actions.map((action) => [
      `${component}:${action}`,
      permissions.grantedTo(component as Component, action),
    ]),
  )
  return { ...(Object.fromEntries(entries) as HttpPermissions), ...openPermissions(permissions) }
}

/** A caller who logs in or requests a reset is anonymous, so permissions of roles have no effect on these actions. */
function openPermissions(
  permissions: Permissions,
): Pick<HttpPermissions, 'auth:login' | 'auth:reset-password'> {
  const login =
    permissions.allows(ANONYMOUS, 'auth', 'login') && permissions.allows(ANONYMOUS, 'user', 'find')
  const reset = permissions.allows(ANONYMOUS, 'auth', 'reset-password')
  return { 'auth:login': login ? 'everyone' : 'nobody', 'auth:reset-password': reset ? 'everyone' : 'nobody' }
}
