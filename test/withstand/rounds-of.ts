import { CAMPAIGNS } from './campaigns.js'
import { runCampaign, type Outcome } from './run-campaign.js'

type Asked = { readonly seed?: number; readonly rounds: number; readonly planted?: string }

/** Some rounds of one campaign, for a test. */
export async function roundsOf(
  name: string,
  { seed = Date.now() % 2 ** 31, rounds, planted }: Asked,
): Promise<Outcome> {
  const campaign = CAMPAIGNS.find((one) => one.name === name)
  if (!campaign) throw new Error(`there is no campaign ${name}`)
  return await runCampaign(campaign, {
    ...{ seed, rounds, planted, minutes: Infinity, clock: () => performance.now() },
    ...{ stopped: new AbortController().signal, onProgress: () => undefined },
  })
}
