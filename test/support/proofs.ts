import { createAuthorize, type Authorize } from '../../src/application/access/authorize.js'
import { compilePermissions, DEFAULT_PERMISSIONS } from '../../src/domain/access/permissions.js'

/** Judges by the permissions that are in force where nothing else is configured. */
export const authorizeByDefault: Authorize = (caller, component, action) => {
  const compiled = compilePermissions(DEFAULT_PERMISSIONS)
  if (!compiled.ok) throw new Error('the default permissions are wrong')
  return createAuthorize(compiled.permissions)(caller, component, action)
}
