import { expect } from 'chai'
import { currentFactor } from '../../../../src/application/identity/stateless/current-factor.js'
import type { SecondFactors } from '../../../../src/ports/second-factors.js'
import { ADA, AT } from '../../../support/logins.js'

describe('the second factor that a login has proved', () => {
  const current = (proved: true | number | undefined, activeSince?: number) => {
    const find = async (id: number) => (id === ADA.id ? { begunAt: AT, activeSince } : undefined)
    return currentFactor({ secondFactors: { find } as unknown as SecondFactors }, ADA.id, proved)
  }

  it('counts while it is active', async () => {
    for (const since of [AT, AT - 1, 1]) expect(await current(since, since)).to.equal(since)
    expect(await current(true, AT)).to.equal(AT)
  })

  it('does not count once it is removed or another factor has replaced it', async () => {
    for (const since of [undefined, AT - 1, AT + 1, AT + 86_400_000])
      expect(await current(AT, since)).to.equal(undefined)
    expect(await current(true)).to.equal(undefined)
  })

  it('is undefined for a login without a factor, and without the port', async () => {
    expect(await current(undefined, AT)).to.equal(undefined)
    expect(await currentFactor({}, ADA.id, AT)).to.equal(undefined)
  })
})
