import { createIssuePair } from '../../src/application/identity/stateless/issue-pair.js'
import { systemClock, systemRandomness } from '../../src/adapters/system/index.js'
import type { SessionId } from '../../src/domain/identity/session.js'
import type { TokenUse } from '../../src/adapters/keyring/index.js'
import { ratio } from '../alternate.js'
import { besideBareKoa, IDENTITY_CONNECTIONS } from '../load/identity-traffic.js'
import type { Headers } from '../workplace/reply.js'
import { atLeast, cpuNote, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
import type { Run } from '../run.js'
import { seedAccounts } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace, LIFETIMES, type Workplace } from '../workplace/workplace.js'

const LOGINS = 9_000
const USES: readonly TokenUse[] = ['HS512', 'EdDSA', 'v4.public']

/** The current identity from the token alone, against bare Koa, for each signature. */
export async function measureStateless(run: Run): Promise<Report> {
  const found = []
  for (const use of USES) {
    found.push(
      await inWorkplace(
        async (place) => {
          const clients = await headersOf(place)
          const service = await startService(place)
          return await besideBareKoa(use, service, clients, run)
        },
        { use, stateless: true },
      ),
    )
  }
  return {
    setting: `${thousands(LOGINS - 1_000)} logins in turn, each with a token of its own that was verified before, ${IDENTITY_CONNECTIONS} connections.`,
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

/** A login for each account, as the service itself would issue it. */
async function headersOf(place: Workplace): Promise<readonly Headers[]> {
  const accounts = await place.withStore(async (store) => await seedAccounts(store, LOGINS))
  const { tokens } = place.credentials
  const issuePair = createIssuePair({ tokens, lifetimes: LIFETIMES, randomness: systemRandomness })
  const at = systemClock()
  const login = () => ({
    sessionId: systemRandomness.base64url(16) as SessionId,
    endsAt: at + LIFETIMES.session,
  })
  // Account ids of four digits, so that all replies are equally long.
  const pairs = accounts.slice(1_000).map(async (account) => await issuePair(account, login(), at))
  return (await Promise.all(pairs)).map(({ accessToken }) => ({ 'X-Authorization': `Bearer ${accessToken}` }))
}
