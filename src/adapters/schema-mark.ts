import { unusable } from '../domain/refusal.js'
import { VERSION } from '../domain/version.js'

/** The schema mark that a store got from the last release that changed its schema. */
export type SchemaMark = {
  /** The number of the schema. */
  readonly version: number
  /** The oldest schema whose releases can still read this store; if absent, `version` applies, as in stores of releases up to 0.8.0. */
  readonly readableFrom?: number
  /** The oldest schema whose releases can still write this store; if absent, `version` applies. */
  readonly writableFrom?: number
  /** The release that changed the schema last. */
  readonly release?: string
}

/** How this release marks a store whose schema it has changed. */
export function markFor(version: number, oldestUsable: number): Required<SchemaMark> {
  return { version, readableFrom: oldestUsable, writableFrom: oldestUsable, release: VERSION }
}

/** The names of a store and of its location, for use in a sentence. */
type Named = { readonly store: string; readonly setting: string }

/**
 * Throws an `incompatible-store` Refusal if this release, which supports schemas up to `supported`, must not use the store. A store of a
 * newer release can be used until that release removes something that this release needs, so that both releases can run during an upgrade.
 */
export function assertUsable(mark: SchemaMark, supported: number, { store, setting }: Named): void {
  const { version, readableFrom = version, writableFrom = version, release } = mark
  if (supported >= Math.max(readableFrom, writableFrom)) return
  const writer = release === undefined ? 'a newer release' : `release ${release}`
  throw unusable(
    'incompatible-store',
    `The ${store} has schema version ${version}, but this release supports only versions up to ${supported}: ` +
      `it was written by ${writer}. Install that release, or set ${setting}.`,
  )
}
