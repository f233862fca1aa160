import { expect } from 'chai'
import { runCampaign, type Bench, type Campaign } from './campaign.js'

const OPTIONS = { seed: 5, rounds: 3, clock: () => 0 }

/** A campaign that finds violations with the seeds in `bad`, and throws with the seeds in `broken`. */
function campaignOf({ bad = [] as readonly number[], broken = [] as readonly number[] } = {}) {
  let opened = 0
  const bench: Bench = {
    round: (seed) => {
      if (broken.includes(seed)) return Promise.reject(new Error('broken'))
      const faults = { SIGKILL: 2, [`at ${String(seed)}`]: 1 }
      return Promise.resolve({ requests: 100, faults, violations: bad.includes(seed) ? ['lost'] : [] })
    },
    close: () => Promise.resolve(),
  }
  const open = () => {
    opened += 1
    return Promise.resolve(bench)
  }
  return { campaign: { name: 'crashes', open } satisfies Campaign, opened: () => opened }
}

describe('a campaign', () => {
  it('opens new servers after a violation, and treats an error in a round as a violation', async () => {
    const { campaign, opened } = campaignOf({ bad: [5], broken: [6] })
    const { violations, rounds } = await runCampaign(campaign, OPTIONS)
    expect(violations.map((text) => text.split('\n')[0])).to.deep.equal(['lost', 'Error: broken'])
    expect([rounds, opened()]).to.deep.equal([3, 3])
  })
})
