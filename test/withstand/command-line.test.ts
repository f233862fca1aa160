import { expect } from 'chai'
import type { Campaign } from './campaign.js'
import { readCommandLine, UsageError } from './command-line.js'

const CAMPAIGNS: readonly Campaign[] = ['crashes', 'network'].map((name) => ({
  ...{ name, title: name },
  open: () => Promise.reject(new Error('never opened')),
}))

const read = (...args: string[]) => readCommandLine(args, CAMPAIGNS)

describe('the arguments of npm run withstand', () => {
  it('run all campaigns for half an hour by default', () => {
    const { campaigns, ...rest } = read()
    expect(campaigns).to.deep.equal(CAMPAIGNS)
    expect(rest).to.deep.equal({
      ...{ minutes: 30, rounds: Infinity, seed: undefined, planted: undefined },
      ...{ json: false, list: false },
    })
  })

  it('name campaigns, seed, rounds and a planted bug', () => {
    const given = [
      '--campaign',
      'network',
      '--seed',
      '7',
      '--rounds',
      '2',
      '--planted',
      'late-logout',
      '--json',
    ]
    const { campaigns, ...rest } = read(...given)
    expect(campaigns.map(({ name }) => name)).to.deep.equal(['network'])
    expect(rest).to.include({ seed: 7, rounds: 2, planted: 'late-logout', json: true })
  })

  it('are refused with the possible ones', () => {
    expect(() => read('--campaign', 'floods')).to.throw(
      UsageError,
      'There is no campaign floods: crashes, network.',
    )
    expect(() => read('--minutes', 'ten')).to.throw(
      UsageError,
      '--minutes must be a number from 0, and not ten.',
    )
    expect(() => read('--fast')).to.throw(UsageError, '--minutes N')
  })
})
