import type { Node } from '../../mongodb-faults/mongod.js'
import type { CheckedStore } from '../checker.js'
import type { Random } from '../random.js'
import type { Load } from '../real-service/load.js'
import type { RealService } from '../real-service/service.js'
import type { Site } from '../real-service/site.js'
import type { SmallDisk } from './small-disk.js'

/** A service under load, and what it works with. */
export type Scene = {
  readonly store: CheckedStore
  readonly service: RealService
  readonly site: Site
  readonly load: Load
  readonly draws: Random
  /** The SQLite file, which is alone with its companions in its folder. */
  readonly database: string
  readonly disk: SmallDisk | undefined
  readonly mongod: Node | undefined
}

/** What befalls a service. */
export type Trouble = {
  readonly name: string
  readonly stores: readonly CheckedStore[]
  /** What not every machine has. */
  readonly needs?: 'disk' | 'read-only disk'
  /** There is no store while it lasts: the service says so, and refuses all that needs one. */
  readonly isGone?: true
  /** Nothing can be written while it lasts: where nothing was refused, it has not come to the service. */
  readonly mustBeMet?: true
  /** Nothing may be refused while it lasts. */
  readonly isHealthy?: true
  /** How many requests come meanwhile, at least and at most; 20 to 60. */
  readonly operations?: readonly [number, number]
  /** Begins it, and gives what ends it. */
  begin(scene: Scene): Promise<() => Promise<void>>
}
