import type { HttpPermissions, HttpSettings } from '../../../src/http/settings.js'
import { httpPermissions } from '../../../src/composition-root/http-settings.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permissions.js'
import { compiledPermissions } from '../permissions.js'

/** The callers that these rules permit to run the actions. */
export function permissionsOf(rules: PermissionRules): HttpPermissions {
  return httpPermissions(compiledPermissions(rules))
}

/** The default configuration, without the page at /docs, and with these changes. */
export function httpSettings(changes: Partial<HttpSettings> = {}): HttpSettings {
  return { ...DEFAULTS, ...changes }
}

const DEFAULTS: HttpSettings = {
  publicUrl: 'http://127.0.0.1:3000',
  production: false,
  stateless: false,
  publicKeys: [],
  authorizationHeader: 'X-Authorization',
  trustProxy: 0,
  cookie: { name: 'sid', secure: false, sameSite: 'strict' },
  apiKeyHeader: 'X-API-Key',
  petSecurity: 'any',
  limitsAttempts: false,
  corsOrigins: [],
  passwordMinLength: 8,
  bodyLimit: 64 * 1024,
  docs: false,
  grantedTo: permissionsOf(DEFAULT_PERMISSIONS),
}
