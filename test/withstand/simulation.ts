import { campaign as simulate } from '../simulation/campaign.js'
import { PLANTED } from '../simulation/planted/index.js'
import type { Campaign, Round } from './campaign.js'

const HISTORIES = 2_000

/** Tries different orders of port calls on the memory store. The planted bugs are the simulator's bugs. */
export const simulationCampaign: Campaign = {
  name: 'simulation',
  bugs: Object.keys(PLANTED),
  open: ({ planted }) =>
    Promise.resolve({ round: (seed) => playHistories(seed, planted), close: () => Promise.resolve() }),
}

async function playHistories(seed: number, planted: string | undefined): Promise<Round> {
  const bug = planted === undefined ? {} : { bug: PLANTED[planted] ?? {} }
  const { histories, operations, violation } = await simulate({ histories: HISTORIES, seed, ...bug })
  return {
    requests: operations,
    faults: { history: histories },
    violations: violation ? [violation.story] : [],
  }
}
