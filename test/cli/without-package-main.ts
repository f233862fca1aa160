import { register } from 'node:module'

/** A preloaded file that makes Node believe that the package in the variable is not installed. */
const missing = process.env['MISSING_PACKAGE'] ?? ''
const hook = `export const resolve = (name, context, next) =>
  next(name, name.split('/')[0] === ${JSON.stringify(missing)} ? { ...context, parentURL: 'file:///nowhere/at/all.js' } : context)`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
