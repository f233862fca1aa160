import type { TokenUse } from '../../src/ports/token-format.js'
import { ratio } from '../alternate.js'
import { besideBareKoa, IDENTITY_CONNECTIONS } from '../load/identity-traffic.js'
import { atLeast, cpuNote, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
import type { Run } from '../run.js'
import { seedAccounts, seedTokens } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const LOGINS = 9_000
const USES: readonly TokenUse[] = ['HS512', 'EdDSA', 'v4.public']

/** get-identity from the token alone, against bare Koa, for each signature. */
export async function measureStateless(run: Run): Promise<Report> {
  const found = []
  for (const use of USES) {
    found.push(
      await inWorkplace(
        async (place) => {
          const accounts = await place.withStore((store) => seedAccounts(store, LOGINS))
          // Account IDs of four digits, so that all replies are equally long.
          const tokens = await seedTokens(place, accounts.slice(1_000))
          const clients = tokens.map((token) => ({ 'X-Authorization': `Bearer ${token}` }))
          const service = await startService(place)
          return await besideBareKoa(use, service, clients, run)
        },
        { use, stateless: true },
      ),
    )
  }
  return {
    setting: `${thousands(LOGINS - 1_000)} logins in turn, each with another token that was verified before, ${IDENTITY_CONNECTIONS} connections.`,
    columns: TRAFFIC_COLUMNS,
    rows: found.flatMap(({ ours, bare }) => [trafficRow(ours), trafficRow(bare)]),
    claims: found.map(({ ours, bare }) =>
      atLeast(
        `${ours.name}: requests per second of bare Koa`,
        0.6,
        ratio(ours, bare, ({ perSecond }) => perSecond),
        { short: `stateless (${ours.name}) of bare Koa` },
      ),
    ),
    notes: found.map(({ ours, bare }) => cpuNote(ours, bare)),
  }
}
