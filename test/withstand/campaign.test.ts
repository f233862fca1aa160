import { expect } from 'chai'
import { runCampaign, type Bench, type Campaign } from './campaign.js'
import { createProgress, rowOf } from './progress.js'

const OPTIONS = { seed: 5, rounds: 3, clock: () => 0 }

/** A campaign that finds something at the seeds of `bad`, and throws at the seeds of `broken`. */
function campaignOf({ bad = [] as readonly number[], broken = [] as readonly number[] } = {}) {
  const seeds: number[] = []
  let opened = 0
  const bench: Bench = {
    round: (seed) => {
      seeds.push(seed)
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
  return { campaign: { name: 'crashes', open } satisfies Campaign, seeds, opened: () => opened }
}

describe('a campaign', () => {
  it('runs each round with the next seed and adds the rounds up', async () => {
    const { campaign, seeds } = campaignOf()
    const outcome = await runCampaign(campaign, OPTIONS)
    expect(seeds).to.deep.equal([5, 6, 7])
    expect(outcome).to.deep.equal({
      ...{ campaign: 'crashes', seed: 5, rounds: 3, requests: 300, violations: [], seconds: 0 },
      faults: { SIGKILL: 6, 'at 5': 1, 'at 6': 1, 'at 7': 1 },
    })
  })

  it('begins no round after its time', async () => {
    let now = 0
    const clock = () => (now += 25_000)
    const { rounds } = await runCampaign(campaignOf().campaign, { seed: 5, rounds: 100, minutes: 1, clock })
    expect(rounds).to.equal(1)
  })

  it('opens new servers after a violation, and takes a round that throws as one', async () => {
    const { campaign, opened } = campaignOf({ bad: [5], broken: [6] })
    const { violations, rounds } = await runCampaign(campaign, OPTIONS)
    expect(violations.map((text) => text.split('\n')[0])).to.deep.equal(['lost', 'Error: broken'])
    expect([rounds, opened()]).to.deep.equal([3, 3])
  })

  it('shows its progress, and each violation with the command that repeats it', async () => {
    const written: string[] = []
    const { show } = createProgress({ write: (text: string) => written.push(text) })
    const outcome = await runCampaign(campaignOf({ bad: [6] }).campaign, { ...OPTIONS, onProgress: show })
    expect(written.join('')).to.equal(
      'campaign crashes, seed 5, minutes 0, rounds 1, requests 100, faults 3, violations 0\n' +
        '\nVIOLATION\nlost\nAgain: npm run withstand -- --campaign crashes --seed 6 --rounds 1\n\n',
    )
    expect(rowOf(outcome)).to.deep.equal({
      ...{ campaign: 'crashes', seed: 5, minutes: 0, rounds: 3, requests: 300, faults: 9, violations: 1 },
    })
  })
})
