import type { Campaign } from './campaign.js'
import { failureCampaign } from './failure-campaign.js'
import { hasTool, TOOLS } from '../support/required-tools.js'
import { openDiskGround } from './disk-ground.js'
import { malformedCampaign } from './malformed.js'
import { openNetworkGround, openReplicaSetGround } from './mongodb-ground.js'
import { openSqliteGround } from './sqlite-ground.js'

const withoutMongod = () => (hasTool('mongod') ? undefined : TOOLS.mongod.missing)

/** All campaigns, in the order of a run without names. */
export const CAMPAIGNS: readonly Campaign[] = [
  failureCampaign({
    name: 'crashes-sqlite',
    title:
      'SIGKILL of a worker, of the primary process and of the service, and SIGSTOP of a worker, on SQLite',
    workers: 2,
    mayBreak: true,
    hasOperator: true,
    faults: 4,
    openGround: openSqliteGround,
  }),
  failureCampaign({
    name: 'crashes-mongodb',
    title: 'SIGKILL of the primary of a replica set, and of processes of the service',
    missing: withoutMongod,
    workers: 2,
    mayBreak: true,
    hasOperator: true,
    faults: 5,
    openGround: openReplicaSetGround,
  }),
  failureCampaign({
    name: 'network',
    title:
      'partitions, delays and dropped directions between the service and a replica set, and within the set',
    missing: withoutMongod,
    // Another process may read from a primary that has lost the others until it steps down: see the decision.
    workers: 1,
    mayBreak: false,
    hasOperator: false,
    faults: 5,
    openGround: openNetworkGround,
  }),
  failureCampaign({
    name: 'disk',
    title: 'a full or read-only disk, a moved file, a deleted log, no free descriptor on SQLite',
    workers: 1,
    // A connection without a descriptor is closed.
    mayBreak: true,
    hasOperator: false,
    faults: 6,
    openGround: openDiskGround,
  }),
  malformedCampaign,
]
