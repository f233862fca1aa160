import type { CheckedStore } from '../checker.js'
import { nextDescriptor, lowerLimit } from './limits.js'
import { makeConnections } from './descriptors.js'
import { FILE_TROUBLES } from './file-troubles.js'
import type { Trouble } from './scene.js'
import type { SmallDisk } from './small-disk.js'

const KIB = 1024
const HOUR = 3_600_000

/** The disk has so many bytes left, which may be enough for some of what comes. */
const diskFull: Trouble = {
  name: 'disk full',
  stores: ['sqlite'],
  needs: 'disk',
  begin: async ({ disk, draws }) => {
    disk?.fill(draws.between(0, 200) * KIB)
    return async () => {
      disk?.empty()
    }
  },
}

/** As a quota of the user's: files may become no larger. */
const filesTooLarge: Trouble = {
  name: 'file size limit',
  stores: ['sqlite'],
  begin: async ({ service, draws }) => {
    const heal = lowerLimit(service.pid, 'fsize', draws.between(1, 64) * KIB)
    return async () => {
      heal()
    }
  },
}

const noDescriptors: Trouble = {
  name: 'no descriptors',
  stores: ['memory', 'sqlite', 'mongodb'],
  begin: async (scene) => {
    const { service, site, draws } = scene
    const heal = lowerLimit(service.pid, 'nofile', nextDescriptor(service.pid) + draws.between(0, 3))
    await makeConnections(site, draws.between(4, 12))
    return async () => {
      heal()
    }
  },
}

function clockJumps(name: string, ahead: number): Trouble {
  return {
    name,
    stores: ['memory', 'sqlite', 'mongodb'],
    // Nothing is missing, so nothing may be refused.
    isHealthy: true,
    begin: async ({ service, site, load }) => {
      const set = async (to: number) => {
        await load.pausing(async () => {
          service.setClock(to)
          site.ahead = to
        })
      }
      await set(ahead)
      return () => set(0)
    },
  }
}

const serverStopped: Trouble = {
  name: 'mongod stopped',
  stores: ['mongodb'],
  isGone: true,
  operations: [4, 10],
  begin: async ({ mongod }) => {
    await mongod?.freeze()
    return async () => {
      mongod?.thaw()
    }
  },
}

const TROUBLES: readonly Trouble[] = [
  diskFull,
  filesTooLarge,
  ...FILE_TROUBLES,
  noDescriptors,
  clockJumps('clock an hour forth', HOUR),
  clockJumps('clock an hour back', -HOUR),
  serverStopped,
]

/** What can befall this store on this machine, and the names of what cannot. */
export function troublesOf(
  store: CheckedStore,
  disk: SmallDisk | undefined,
): { readonly troubles: readonly Trouble[]; readonly left: readonly string[] } {
  const has = { disk: disk !== undefined, 'read-only disk': disk?.canBeReadOnly ?? false }
  const all = TROUBLES.filter(({ stores }) => stores.includes(store))
  const troubles = all.filter(({ needs }) => needs === undefined || has[needs])
  return { troubles, left: all.filter((one) => !troubles.includes(one)).map(({ name }) => name) }
}
