import { expect } from 'chai'
import type { Bench, Campaign } from './campaign.js'
import { createProgress } from './progress.js'
import { runCampaign, type RunOptions } from './run-campaign.js'
import { summaryOf } from './summary.js'

const OPTIONS: RunOptions = {
  ...{ seed: 5, minutes: 1, rounds: 3, clock: () => 0 },
  ...{ stopped: new AbortController().signal, onProgress: () => undefined },
}

/** A campaign that finds something at the seeds of `bad`, and throws at the seeds of `broken`. */
function campaignOf({ bad = [] as readonly number[], broken = [] as readonly number[] } = {}) {
  const seeds: number[] = []
  let opened = 0
  const bench: Bench = {
    round: (seed) => {
      seeds.push(seed)
      if (broken.includes(seed)) return Promise.reject(new Error('broken'))
      return Promise.resolve({ requests: 100, faults: 2, violations: bad.includes(seed) ? ['lost'] : [] })
    },
    close: () => Promise.resolve(),
  }
  const campaign: Campaign = {
    ...{ name: 'crashes', title: 'SIGKILL' },
    open: () => {
      opened += 1
      return Promise.resolve(bench)
    },
  }
  return { campaign, seeds, opened: () => opened }
}

describe('a campaign', () => {
  it('runs each round with the next seed and adds the rounds up', async () => {
    const { campaign, seeds } = campaignOf()
    const outcome = await runCampaign(campaign, OPTIONS)
    expect(seeds).to.deep.equal([5, 6, 7])
    expect(outcome).to.deep.equal({
      ...{ campaign: 'crashes', seed: 5, rounds: 3, requests: 300, faults: 6, violations: [], seconds: 0 },
    })
  })

  it('begins no round after its time', async () => {
    let now = 0
    const clock = () => (now += 25_000)
    expect(await runCampaign(campaignOf().campaign, { ...OPTIONS, rounds: 100, clock })).to.include({
      rounds: 1,
    })
  })

  it('opens new servers after a violation, and takes a round that throws as one', async () => {
    const { campaign, opened } = campaignOf({ bad: [5], broken: [6] })
    const { violations, rounds } = await runCampaign(campaign, OPTIONS)
    expect(violations.map(({ seed, text }) => [seed, text.split('\n')[0]])).to.deep.equal([
      [5, 'lost'],
      [6, 'Error: broken'],
    ])
    expect([rounds, opened()]).to.deep.equal([3, 3])
  })

  it('shows its progress, and each violation with the command that repeats it', async () => {
    const written: string[] = []
    const output = { write: (text: string) => written.push(text) }
    const { show } = createProgress(output, 'npm run withstand -- --campaign crashes')
    const outcome = await runCampaign(campaignOf({ bad: [6] }).campaign, { ...OPTIONS, onProgress: show })
    expect(written.join('')).to.equal(
      'crashes: 1 rounds, 100 requests, 2 faults, 0 violations; seed 5; 0.0 min\n' +
        '\nVIOLATION\nlost\nAgain: npm run withstand -- --campaign crashes --seed 6 --rounds 1\n\n',
    )
    expect(summaryOf([outcome])).to.equal(
      'campaign  rounds  requests  faults  violations  minutes  seed\n' +
        'crashes        3       300       6           1      0.0     5',
    )
  })
})
