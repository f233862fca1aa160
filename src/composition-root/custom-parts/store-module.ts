import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants, Script } from 'node:vm'
import { codeOf } from '../../configuration/opened-file.js'
import { ConfigurationError, plainly } from '../../configuration/sentence.js'
import type { StoreModule } from '../../configuration/storage.js'
import { isRefusal } from '../../domain/refusal.js'
import type { Log } from '../../ports/log.js'
import type { GivenStore } from '../../ports/given-store.js'
import type { PartialStore } from '../../ports/store.js'
import { storeErrors } from './check.js'
import { watchedStore } from './watch.js'

/**
 * Opens the custom store that a module provides. The default export or the export `openStore` must be a function that returns a store or a
 * promise of a store. Checks the result of every store call. Rejects with a `ConfigurationError` if the module, function or store does not
 * exist. If the function rejects with a refusal, this call rejects with the same refusal.
 */
export async function openStoreModule(module: StoreModule, log: Log): Promise<PartialStore> {
  const store = await openedBy(await loadStoreModule(module))
  const errors = errorsOf(store)
  if (errors.length > 0) {
    await closeRefused(store)
    throw broken(errors.map((error) => `does not open a store: ${error}`))
  }
  return watchedStore(store as GivenStore, log)
}

/** Rejects with a `ConfigurationError` if the module or the function does not exist. */
export async function loadStoreModule({ specifier }: StoreModule): Promise<() => unknown> {
  const { default: exported, openStore } = await loadModule(specifier)
  const open = [exported, openStore, compiledDefault(exported)].find((one) => typeof one === 'function')
  if (!open) throw broken(['must export a function that opens the store, either as default or as openStore'])
  return open as () => unknown
}

/** The default export of a CommonJS module that was compiled from an ES module. */
function compiledDefault(exported: unknown): unknown {
  return typeof exported === 'object' ? (exported as Module | null)?.['default'] : undefined
}

const NOT_FOUND = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

type Module = Readonly<Record<string, unknown>>

async function loadModule(specifier: string): Promise<Module> {
  const isPath = specifier.startsWith('.') || isAbsolute(specifier)
  if (isPath && !existsSync(specifier)) throw broken(['was not found: there is no such file'])
  try {
    const found = isPath ? pathToFileURL(resolve(specifier)).href : packageFile(specifier)
    return (await (found === undefined ? importHere(specifier) : import(found))) as Module
  } catch (error) {
    const isUnknown = NOT_FOUND.includes(codeOf(error)) && messageOf(error).includes(`'${specifier}'`)
    const hint = 'was not found: the current folder contains no such package, and a path must begin with ./'
    throw broken([isUnknown ? hint : `cannot be loaded: ${messageOf(error)}`], error)
  }
}

/** Packages are looked up from the current folder, because the command may be installed anywhere. */
const here = () => resolve('store-module.js')

/** Returns `undefined` for a package that supports only `import`. */
function packageFile(specifier: string): string | undefined {
  try {
    return pathToFileURL(createRequire(here()).resolve(specifier)).href
  } catch (error) {
    if (codeOf(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined
    throw error
  }
}

/** Calls `import` from the current folder; Node warns that this is experimental. */
function importHere(specifier: string): Promise<unknown> {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const script = new Script('(specifier) => import(specifier)', { filename: here(), importModuleDynamically })
  return (script.runInThisContext() as (specifier: string) => Promise<unknown>)(specifier)
}

async function openedBy(open: () => unknown): Promise<unknown> {
  try {
    return await open()
  } catch (error) {
    throw isRefusal(error) ? error : broken([`could not open its store: ${messageOf(error)}`], error)
  }
}

function errorsOf(store: unknown): readonly string[] {
  if (typeof store !== 'object' || store === null) return ['it is not an object']
  try {
    return storeErrors(store as Module)
  } catch {
    // A getter or a proxy in the module threw an error.
    return ['it cannot be read']
  }
}

/** Closes a rejected store, because its open connections would keep the process alive. */
async function closeRefused(store: unknown): Promise<void> {
  try {
    await (store as { close?: () => unknown }).close?.()
  } catch {
    // Ignores a missing or failing `close`, because the errors in the shape of the store are reported.
  }
}

function broken(sentences: readonly string[], cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    sentences.map((sentence) => plainly(() => `The store module ${sentence}`)),
    cause,
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error'
}
