import type { HttpPermissions, HttpSettings } from '../../../src/http/parts.js'
import {
  httpPermissions,
  httpSettings as httpSettingsOf,
} from '../../../src/composition-root/http-settings.js'
import type { PermissionRules } from '../../../src/domain/access/permission-rules.js'
import { settingsOf } from '../../configuration/reading.js'
import { compiledPermissions } from '../permissions.js'

/** Returns the callers that these rules allow to perform the actions. */
export function permissionsOf(rules: PermissionRules): HttpPermissions {
  return httpPermissions(compiledPermissions(rules))
}

/** The default settings with these changes, and without the page at /docs. */
export function httpSettings(changes: Partial<HttpSettings> = {}): HttpSettings {
  const given = { publicUrl: 'http://127.0.0.1:3000', publicKeys: [] }
  return { ...httpSettingsOf(settingsOf({ DOCS: 'off' }), given), ...changes }
}
