import { createAuthorize, type Authorize } from '../../src/application/access/authorize.js'
import {
  compilePermissions,
  DEFAULT_PERMISSIONS,
  type PermissionRules,
  type Permissions,
} from '../../src/domain/access/permissions.js'

/** Compiles these rules, the default rules if none are given; throws if they are invalid. */
export function compiledPermissions(rules: PermissionRules = DEFAULT_PERMISSIONS): Permissions {
  const compiled = compilePermissions(rules)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  return compiled.permissions
}

export const authorizeByDefault: Authorize = (caller, component, action) =>
  createAuthorize(compiledPermissions())(caller, component, action)
