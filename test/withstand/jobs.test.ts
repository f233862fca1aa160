import { expect } from 'chai'
import { tryInJobs } from './jobs.js'
import { trialOf } from './made-up.js'
import { modelChecker } from './model/checker.js'

describe('a trial in several processes', () => {
  const go = async (rest: Parameters<typeof trialOf>[1]) => {
    let said = ''
    const messages = { write: (text: string) => (said += text) }
    const trial = trialOf(modelChecker, { rounds: 1, jobs: 2, ...rest })
    const result = await tryInJobs(trial, { messages, stopped: new AbortController().signal })
    return { result, said }
  }

  it('adds up what they came to', async () => {
    const { result } = await go({ seed: 12 })
    const { rounds, jobs, violations, seed, histories } = result
    expect({ rounds, jobs, violations, seed }).to.deep.equal({ rounds: 2, jobs: 2, violations: 0, seed: 12 })
    expect(histories).to.equal(80)
  })

  it('tells of a violation with the job that found it, and with the seed that repeats it', async () => {
    const { result, said } = await go({ planted: 'logout-not-done' })
    expect(result.violations).to.be.above(0)
    expect(said).to.match(/^job [12]: VIOLATION, model on memory$/m)
    expect(said).to.match(/^job 1: Again: .* --seed 7 --rounds 1 --planted logout-not-done$/m)
    expect(said).to.match(/^job 2: Again: .* --seed 1073741831 --rounds 1/m)
  })
})
