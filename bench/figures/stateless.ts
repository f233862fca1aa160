import type { TokenUse } from '../../src/ports/token-format.js'
import { reportOf } from '../comparison.js'
import { besideBareKoa, CONNECTIONS, identitiesOf } from '../load/reading.js'
import { thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillStore } from '../scale/stores.js'
import { seedTokens } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const LOGINS = 9_000
/** The signatures, each with its least ratio by CPU time. */
const CPU_GOALS = { HS512: 0.9, EdDSA: 0.8, 'v4.public': 0.7 } as const satisfies Record<TokenUse, number>

/** get-identity from the token alone, against bare Koa, for each signature. */
export async function measureStateless(run: Run): Promise<Report> {
  const comparisons = []
  for (const [use, cpuGoal] of Object.entries(CPU_GOALS) as [TokenUse, number][]) {
    const sides = await inWorkplace(
      async (place) => {
        run.step(`opening ${thousands(LOGINS)} logins with ${use}`)
        await fillStore(place, { pets: 0, accounts: LOGINS, sessions: 0, auditRecords: 0 })
        const accounts = await place.withStore((store) => store.accounts.page(undefined, LOGINS))
        // Account IDs of four digits, so that all replies are equally long.
        const tokens = await seedTokens(place, accounts.slice(1_000))
        const requests = identitiesOf(tokens.map((token) => ({ 'X-Authorization': `Bearer ${token}` })))
        return await besideBareKoa(use, await startLoggedService(place), requests, run)
      },
      { use, stateless: true },
    )
    comparisons.push({ name: `stateless (${use}) of bare Koa`, ...sides, cpuGoal, clockGoal: 0.6 })
  }
  return reportOf({
    figure: 'stateless',
    title: 'get-identity, stateless',
    setting: `${thousands(LOGINS - 1_000)} logins in turn, each with another token that was verified before, ${CONNECTIONS} connections; a line of the log for each request, and metrics.`,
    comparisons,
  })
}
