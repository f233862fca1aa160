import { register } from 'node:module'

/** Preloaded: from here on the package that the variable names is not installed, as far as Node can tell. */
const missing = process.env['MISSING_PACKAGE'] ?? ''
const hook = `export const resolve = (name, context, next) =>
  next(name, name.split('/')[0] === ${JSON.stringify(missing)} ? { ...context, parentURL: 'file:///nowhere/at/all.js' } : context)`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
