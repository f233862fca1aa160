import { createAuthorize, type Authorize } from '../../src/application/access/authorize.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../src/domain/access/permission-rules.js'
import { compilePermissions, type Permissions } from '../../src/domain/access/permissions.js'

/** Compiles these rules or, without an argument, the default rules; throws if they are invalid. */
export function compiledPermissions(rules: PermissionRules = DEFAULT_PERMISSIONS, own = {}): Permissions {
  const compiled = compilePermissions(rules, own)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  return compiled.permissions
}

/** Returns the default permissions, with the rules of these roles replaced. */
export const permitting = (roles: PermissionRules['roles']): PermissionRules => ({
  roles: { ...DEFAULT_PERMISSIONS.roles, ...roles },
})

const { everyone, user } = DEFAULT_PERMISSIONS.roles
/**
 * The default permissions; in addition, anyone may reset a password, and users may delete and export their accounts and
 * manage pets.
 */
export const SELF_SERVICE = permitting({
  everyone: { components: { ...everyone.components, auth: [...everyone.components.auth, 'reset-password'] } },
  user: {
    components: {
      auth: [...user.components.auth, 'delete-account', 'export-account', 'confirm'],
      pets: ['*'],
    },
  },
})

export const authorizeByDefault: Authorize = (caller, component, action) =>
  createAuthorize(compiledPermissions())(caller, component, action)
