import type { StoreName } from './stores.js'

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
  /** Whether clients can change passwords and pets. */
  readonly allowsChanges: boolean
}

/** The latest four releases, newest first. */
export const RELEASES: readonly Release[] = [
  {
    version: '0.8.0',
    commit: 'c3f05eca',
    needs: { sqlite: 'stop first', mongodb: 'rolling' },
    allowsChanges: true,
  },
  {
    version: '0.7.0',
    commit: '6c656cec',
    needs: { sqlite: 'stop first', mongodb: 'stop first' },
    allowsChanges: true,
  },
  {
    version: '0.6.0',
    commit: '0fe399f5',
    needs: { sqlite: 'stop first', mongodb: 'stop first' },
    allowsChanges: true,
  },
  {
    version: '0.5.0',
    commit: '4ac30353',
    needs: { sqlite: 'stop first', mongodb: 'stop first' },
    allowsChanges: false,
  },
]
