import { createAuthorize, type Authorize } from '../../src/application/access/authorize.js'
import { compiledPermissions } from './permissions.js'

/** Judges by the permissions that are in force where nothing else is configured. */
export const authorizeByDefault: Authorize = (caller, component, action) =>
  createAuthorize(compiledPermissions())(caller, component, action)
