import { expect } from 'chai'
import type { Round } from './checker.js'
import type { Trial } from './command-line.js'
import { madeUp, trialOf, WELL } from './made-up.js'
import { runTrial } from './trial.js'

const NEVER = new AbortController().signal

/** A clock that goes on by so many seconds each time that it is read. */
function clockOf(seconds: number): () => number {
  let now = 0
  return () => (now += seconds * 1000)
}

async function run(
  round: (seed: number) => Round | Promise<Round>,
  rest: Partial<Trial>,
  stopped: AbortSignal = NEVER,
) {
  const { checker, calls } = madeUp(round)
  const told: string[] = []
  const outcome = await runTrial(trialOf(checker, rest), {
    clock: clockOf(1),
    stopped,
    onViolation: ({ seed, text }) => told.push(`${seed} ${text}`),
  })
  return { outcome, calls, told }
}

describe('a trial', () => {
  it('adds its rounds up, each with the next seed', async () => {
    const { outcome, calls } = await run(() => WELL, { rounds: 3 })
    expect(outcome).to.deep.include({ rounds: 3, histories: 6, operations: 30, faults: 3, violations: [] })
    expect(calls).to.deep.equal(['open memory', 'round 7', 'round 8', 'round 9', 'close'])
  })

  it('begins no round after its minutes', async () => {
    const { outcome } = await run(() => WELL, { minutes: 0.5 })
    expect(outcome.rounds).to.be.within(5, 29)
    expect(outcome.seconds).to.be.within(30, 40)
  })

  it('counts seeds on from 0 after the greatest', async () => {
    const { calls } = await run(() => WELL, { rounds: 2, seed: 2 ** 31 - 1 })
    expect(calls.slice(1, 3)).to.deep.equal(['round 2147483647', 'round 0'])
  })

  it('plants the bug that it is given', async () => {
    const { calls } = await run(() => WELL, { rounds: 1, planted: 'late' })
    expect(calls[0]).to.equal('open memory late')
  })

  it('tells of each violation with the seed of its round, and goes on', async () => {
    const { outcome, told } = await run(
      (seed) => ({ ...WELL, violations: seed === 8 ? ['no', 'nor'] : [] }),
      {
        rounds: 4,
      },
    )
    expect(told).to.deep.equal(['8 no', '8 nor'])
    expect(outcome).to.deep.include({
      rounds: 4,
      violations: [8, 8].map((seed, at) => ({ seed, text: ['no', 'nor'][at] })),
    })
  })

  it('takes a round that throws for a violation, and opens a new bench for the next', async () => {
    const broken = (seed: number) => (seed === 7 ? Promise.reject(new Error('refused')) : WELL)
    const { outcome, calls, told } = await run(broken, { rounds: 2 })
    expect(told.join()).to.contain('7 The round threw: Error: refused')
    expect(outcome.violations.length).to.equal(1)
    expect(calls).to.deep.equal(['open memory', 'round 7', 'close', 'open memory', 'round 8', 'close'])
  })

  it('ends where there are twenty violations', async () => {
    const { outcome } = await run(() => ({ ...WELL, violations: ['no', 'nor', 'never'] }), {})
    expect(outcome.violations.length).to.equal(21)
  })

  it('ends when it is stopped, without the round that was cut short', async () => {
    const stop = new AbortController()
    const cut = (seed: number) => {
      if (seed === 8) stop.abort()
      return { ...WELL, violations: seed === 8 ? ['no server'] : [] }
    }
    const { outcome, calls } = await run(cut, {}, stop.signal)
    expect(outcome).to.deep.include({ rounds: 1, violations: [] })
    expect(calls.at(-1)).to.equal('close')
  })
})
