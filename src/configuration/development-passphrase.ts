import { linkSync, mkdtempSync, rmSync, existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from '../ports/log.js'
import type { Settings } from './derived.js'
import { codeOf, makeFolder, withOpenedFile } from './opened-file.js'
import type { AdapterRules } from './reader.js'
import { ConfigurationError, plainly, type Naming } from './sentence.js'

const FILE_NAME = 'development-passphrase'

/** The development passphrase, stored in a file next to the database. */
export type KeptPassphrase = {
  readonly passphrase: string
  readonly path: string
  /** Whether other users can read the file. */
  readonly exposed: boolean
}

type PassphraseSource = Pick<AdapterRules, 'passphraseError'> & { readonly generate: () => string }

/**
 * Returns the configured passphrase, or a development passphrase from a file next to the database; the use of a development passphrase is
 * logged. Throws a `ConfigurationError` if the file can be neither read nor created.
 */
export function passphraseOf(
  settings: Pick<Settings, 'passphrase' | 'store'>,
  log: Log,
  making: PassphraseSource,
): string {
  const { passphrase, store } = settings
  if (passphrase !== undefined) return passphrase
  const folder = store.kind === 'sqlite' ? dirname(store.path) : 'data'
  const kept = developmentPassphrase(folder, making)
  log.warn('tokens are signed with a passphrase that was generated for development', { detail: kept.path })
  if (kept.exposed)
    log.warn('other users can read the development passphrase: chmod 600', { detail: kept.path })
  return kept.passphrase
}

/**
 * Returns this folder's passphrase. The first call creates the passphrase, with mode 0600; processes that start concurrently get the same
 * passphrase. Throws a `ConfigurationError`.
 */
export function developmentPassphrase(
  folder: string,
  { generate, passphraseError }: PassphraseSource,
): KeptPassphrase {
  const path = join(folder, FILE_NAME)
  try {
    if (!existsSync(path)) make(folder, path, generate())
    const { text, exposed } = withOpenedFile(path, ({ stats, read }) => ({
      text: read().toString(),
      exposed: (stats.mode & 0o077) !== 0,
    }))
    const passphrase = text.replace(/\r?\n$/, '')
    const broken = passphraseError(passphrase, { production: false })
    if (broken !== undefined)
      throw unusable(() => `${path} ${broken}; remove the file, and a new passphrase is generated`)
    return { passphrase, path, exposed }
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    const what = `${path} can be neither read nor created (${codeOf(error)})`
    throw unusable((nameOf) => `${what}; set ${nameOf('passphrase')} or give the folder to this user`)
  }
}

function unusable(tell: (nameOf: Naming) => string): ConfigurationError {
  return new ConfigurationError([plainly(tell)])
}

/** Links a complete file to the path, so that no process reads a partial file. If several processes try, only the first succeeds. */
function make(folder: string, path: string, passphrase: string): void {
  makeFolder(folder)
  const workshop = mkdtempSync(join(folder, `.${FILE_NAME}-`))
  try {
    const draft = join(workshop, FILE_NAME)
    writeFileSync(draft, `${passphrase}\n`, { mode: 0o600, flag: 'wx' })
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}
