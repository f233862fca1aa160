import { createAuthorize, type Authorize } from '../../src/application/access/authorize.js'
import { compiledPermissions } from './permissions.js'

/** Checks the default permissions. */
export const authorizeByDefault: Authorize = (caller, component, action) =>
  createAuthorize(compiledPermissions())(caller, component, action)
