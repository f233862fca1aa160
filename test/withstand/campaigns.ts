import { randomInt } from 'node:crypto'
import { runCampaign, type Campaign, type Outcome } from './campaign.js'
import { failureCampaign } from './failure-campaign.js'
import { hasTool, TOOLS } from '../support/required-tools.js'
import { openDiskGround } from './disk-ground.js'
import { malformedCampaign } from './malformed.js'
import { openNetworkGround, openReplicaSetGround } from './mongodb-ground.js'
import { simulationCampaign } from './simulation.js'
import { openPostgresqlGround } from './postgresql-ground.js'
import { openSqliteGround } from './sqlite-ground.js'

const withoutPostgres = () => (hasTool('postgres') ? undefined : TOOLS.postgres.missing)
const withoutMongod = () => (hasTool('mongod') ? undefined : TOOLS.mongod.missing)

const CRASHES = { workers: 2, mayBreak: true, faults: 5 }

/** All campaigns; without arguments, they run in this order. */
export const CAMPAIGNS: readonly Campaign[] = [
  failureCampaign({ ...CRASHES, name: 'crashes-sqlite', faults: 4, openGround: openSqliteGround }),
  failureCampaign({
    ...{ ...CRASHES, name: 'crashes-mongodb', missing: withoutMongod },
    openGround: openReplicaSetGround,
  }),
  failureCampaign({
    ...{ ...CRASHES, name: 'crashes-postgresql', missing: withoutPostgres },
    openGround: openPostgresqlGround,
  }),
  failureCampaign({
    name: 'network',
    missing: withoutMongod,
    // One worker, because other processes may read from an isolated primary until it steps down: see docs/decisions/0005-mongodb.md.
    workers: 1,
    mayBreak: false,
    faults: 5,
    openGround: openNetworkGround,
  }),
  failureCampaign({
    name: 'disk',
    workers: 1,
    // Connections may break, because the service closes a new connection if it has no free file descriptor.
    mayBreak: true,
    faults: 6,
    openGround: openDiskGround,
  }),
  malformedCampaign,
  simulationCampaign,
]

export async function roundOf(name: string, faults?: number): Promise<Outcome> {
  const campaign = CAMPAIGNS.find((one) => one.name === name)
  if (!campaign) throw new Error(`there is no campaign ${name}`)
  return await runCampaign(campaign, { seed: randomInt(2 ** 31), rounds: 1, faults })
}
