import type { HttpPermissions, HttpSettings } from '../http/parts.js'
import { ANONYMOUS } from '../domain/access/caller.js'
import { ACTIONS, type Component } from '../domain/access/components.js'
import type { Permissions } from '../domain/access/permissions.js'
import { HTTP_NAMES, type HttpName } from '../configuration/settings.js'
import type { Settings } from '../configuration/derived.js'

export function httpSettings(
  settings: Settings,
  addressAndKeys: Pick<HttpSettings, 'publicUrl' | 'publicKeys' | 'pageTexts'>,
): HttpSettings {
  const { cookie, limitsAttempts, passkeyDomain, permissions } = settings
  const picked = Object.fromEntries(HTTP_NAMES.map((name) => [name, settings[name]]))
  const grantedTo = httpPermissions(permissions)
  const derived = { cookie, limitsAttempts, passkeyDomain }
  return { ...(picked as Pick<Settings, HttpName>), ...derived, grantedTo, ...addressAndKeys }
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

/** The actions for callers without a login, on which role permissions have no effect. */
const OPEN_ACTIONS = ['login', 'reset-password', 'sign-up', 'login-by-mail'] as const

function openPermissions(
  permissions: Permissions,
): Pick<HttpPermissions, `auth:${(typeof OPEN_ACTIONS)[number]}`> {
  const isOpen = (action: (typeof OPEN_ACTIONS)[number]) =>
    permissions.allows(ANONYMOUS, 'auth', action) &&
    (action !== 'login' || permissions.allows(ANONYMOUS, 'user', 'find'))
  const entries = OPEN_ACTIONS.map((action) => [`auth:${action}`, isOpen(action) ? 'everyone' : 'nobody'])
  return Object.fromEntries(entries) as ReturnType<typeof openPermissions>
}
