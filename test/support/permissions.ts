import {
  compilePermissions,
  DEFAULT_PERMISSIONS,
  type PermissionRules,
  type Permissions,
} from '../../src/domain/access/permissions.js'

/** What these rules come to, the default ones if none are given; throws where they are wrong. */
export function compiledPermissions(rules: PermissionRules = DEFAULT_PERMISSIONS): Permissions {
  const compiled = compilePermissions(rules)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  return compiled.permissions
}
