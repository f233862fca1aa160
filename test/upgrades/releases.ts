import { join } from 'node:path'
import type { Store } from '../../src/ports/store.js'
import { hasTool, TOOLS } from '../support/required-tools.js'
import { SERVER_STORES } from '../support/server-stores.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Build } from './builds.js'

/**
 * What an upgrade from a release requires, and what the campaign does and checks:
 * - `rolling`: instances are replaced one by one, and can return to the earlier release one by one.
 * - `stop first`: all instances stop before the first new one starts; afterwards the earlier release refuses to start.
 */
export type Need = 'rolling' | 'stop first'

export type Release = {
  readonly version: string
  /** The commit of the release; it is listed because not every release has a tag. */
  readonly commit: string
  /** What the upgrade to this checkout requires, for each store that the release supports. */
  readonly needs: Readonly<Partial<Record<StoreName, Need>>>
  readonly allowsChanges: boolean
}

const STOPS = { sqlite: 'stop first', mongodb: 'stop first' } as const

/** The latest four releases, newest first. */
export const RELEASES: readonly Release[] = [
  { version: '0.8.0', commit: 'c3f05eca', needs: { ...STOPS, mongodb: 'rolling' }, allowsChanges: true },
  { version: '0.7.0', commit: '6c656cec', needs: STOPS, allowsChanges: true },
  { version: '0.6.0', commit: '0fe399f5', needs: STOPS, allowsChanges: true },
  { version: '0.5.0', commit: '4ac30353', needs: STOPS, allowsChanges: false },
]

export type StoreName = 'sqlite' | 'mongodb' | 'postgresql'

export type Database = { readonly url: string; readonly drop: () => unknown }

type StoreKind = {
  readonly missing?: () => string | undefined
  readonly fresh: () => Promise<Database>
  /** The name of the store module's function that opens the store at a URL. */
  readonly opener: string
}

export const STORES: Readonly<Record<StoreName, StoreKind>> = {
  sqlite: { fresh: freshFile, opener: 'openSqlite' },
  mongodb: onServer('mongodb', 'openMongo'),
  postgresql: onServer('postgresql', 'openPostgres'),
}

function onServer(name: keyof typeof SERVER_STORES, opener: string): StoreKind {
  const missing = () => (hasTool(name) ? undefined : TOOLS[name].missing)
  return { missing, fresh: SERVER_STORES[name].freshDatabase, opener }
}

export const STORE_NAMES = Object.keys(STORES) as readonly StoreName[]

function freshFile(): Promise<Database> {
  const { path, remove } = makeTemporaryFolder()
  return Promise.resolve({ url: `sqlite:${join(path, 'app.db')}`, drop: remove })
}

/** Opens a store with the code of this build. The calls that create the accounts of the load are the same in all releases. */
export async function openWith({ folder }: Build, name: StoreName, url: string): Promise<Store> {
  const module = join(folder, 'dist', 'src', 'adapters', name, 'store.js')
  const opened = (await import(module)) as Readonly<Record<string, (place: string) => Promise<Store>>>
  const open = opened[STORES[name].opener]
  if (!open) throw new Error(`${module} does not export ${STORES[name].opener}`)
  return await open(url.replace(/^sqlite:/, ''))
}
