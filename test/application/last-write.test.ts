import { expect } from 'chai'
import { createLastWrite } from '../../src/application/last-write.js'
import { refuse, unavailable } from '../../src/domain/refusal.js'

function watched(options: Partial<Parameters<typeof createLastWrite>[0]> = {}) {
  const state = { now: 0, probes: 0, isFull: false }
  const write = async () => {
    if (state.isFull) throw unavailable('The disk is full.')
  }
  const probe = async () => {
    state.probes += 1
    await write()
  }
  const { noted, assertDone } = createLastWrite({ probe, now: () => state.now, ...options })
  const outcomeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code ?? 'error',
    )
  return { state, write: (work = write) => outcomeOf(noted(work)), ready: () => outcomeOf(assertDone()) }
}

describe('the last write', () => {
  it('is retried only after a failure, and at most once per second', async () => {
    const { state, write, ready } = watched()
    expect([await write(), await ready(), state.probes]).to.deep.equal(['done', 'done', 0])
    state.isFull = true
    expect([await write(), await ready(), state.probes]).to.deep.equal(['unavailable', 'unavailable', 1])
    state.isFull = false
    state.now += 999
    expect([await ready(), state.probes]).to.deep.equal(['unavailable', 1])
    state.now += 1
    expect([await ready(), await ready(), state.probes]).to.deep.equal(['done', 'done', 2])
  })

  it('is not counted as a failure once another write has succeeded', async () => {
    const { state, write, ready } = watched()
    state.isFull = true
    await write()
    state.isFull = false
    await write()
    expect([await ready(), state.probes]).to.deep.equal(['done', 0])
  })

  it('remains a failure after other writes until the probe succeeds, if its error is lasting', async () => {
    const { state, write, ready } = watched({ isLasting: () => true })
    state.isFull = true
    await write()
    expect([await write(async () => undefined), await ready()]).to.deep.equal(['done', 'unavailable'])
    state.isFull = false
    state.now += 1_000
    expect([await ready(), await ready(), state.probes]).to.deep.equal(['done', 'done', 2])
  })

  it('fails if it throws an unexpected error, but not if a rule rejects the write', async () => {
    for (const [error, probes] of [
      [refuse('conflict', 'Conflict', 'It exists.'), 0],
      [refuse('stale', 'Conflict', 'It has changed.'), 0],
      [unavailable('Another process held the lock on the database file for too long.'), 1],
      [new Error('disk I/O error'), 1],
    ] as const) {
      const { state, write, ready } = watched()
      await write(() => Promise.reject(error))
      await ready()
      expect(state.probes, error.message).to.equal(probes)
    }
  })
})
