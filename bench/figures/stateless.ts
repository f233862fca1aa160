import type { TokenUse } from '../../src/ports/tokens.js'
import { reading, startPeerOf, warmUp } from '../load/reading.js'
import { identityRequest } from '../load/requests.js'
import { reportOf, thousands, type Comparison, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillLogins } from '../store/stores.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const LOGINS = 9_000
/** The signature algorithms, each with its minimum ratio by CPU time. */
const CPU_GOALS = { HS512: 0.9, EdDSA: 0.8, 'v4.public': 0.7 } as const satisfies Record<TokenUse, number>

/** Compares get-identity in stateless mode, which reads only the token, with bare Koa, for each signature algorithm. */
export async function measureStateless(run: Run): Promise<Report> {
  const comparisons: Comparison[] = []
  for (const [use, cpuGoal] of Object.entries(CPU_GOALS) as [TokenUse, number][])
    comparisons.push({ ...(await compare(use, run)), cpuGoal })
  const setting = `${thousands(LOGINS - 1_000)} logins in turn, each with a token that was verified before.`
  return reportOf(setting, comparisons)
}

async function compare(use: TokenUse, run: Run): Promise<Comparison> {
  return await inWorkplace(
    async (place) => {
      run.step(`opening ${thousands(LOGINS)} logins with ${use}`)
      // Account IDs of four digits, so that all replies have the same length.
      const requests = (await fillLogins(place, LOGINS)).slice(1_000).map(identityRequest)
      const server = await startLoggedService(place)
      await warmUp(server, requests)
      const bareKoa = await startPeerOf(server, requests.at(-1))
      const [ours, peer] = await run.alternate([
        reading({ name: use, server, requests }, run),
        reading({ name: 'bare Koa', server: bareKoa, requests }, run),
      ])
      await Promise.all([server.stop(), bareKoa.stop()])
      return { name: `stateless (${use}) relative to bare Koa`, ours, peer }
    },
    { use, stateless: true },
  )
}
