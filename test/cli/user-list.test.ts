import { expect } from 'chai'
import type { Email } from '../../src/domain/identity/email.js'
import { makeWorkplace, type Workplace } from './app.js'
import { onStoreOf } from './workplace-store.js'

/** More than the command reads at once. */
const ACCOUNTS = 1_001

describe('app user list', () => {
  let place: Workplace

  before(async () => {
    place = await makeWorkplace()
    await onStoreOf(place, async ({ accounts }) => {
      for (let id = 1; id <= ACCOUNTS; id += 1)
        await accounts.insert({ email: `user-${id}@example.com` as Email, createdAt: 0 })
    })
  })
  after(() => place.remove())

  const idsOf = async (...args: string[]) => {
    const { code, stdout } = await place.app(['user', 'list', ...args])
    expect(code).to.equal(0)
    return (JSON.parse(stdout) as { id: number }[]).map(({ id }) => id)
  }
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

  it('has all accounts, by id, or the newest first', async () => {
    const all = upTo(ACCOUNTS)
    expect(await idsOf()).to.deep.equal(all)
    expect(await idsOf('--newest-first')).to.deep.equal(all.toReversed())
  })

  it('has as many as were asked for, also over several pages of the store', async () => {
    expect(await idsOf('--limit', '3')).to.deep.equal([1, 2, 3])
    expect(await idsOf('--limit', '501')).to.deep.equal(upTo(501))
    expect(await idsOf('--limit', '500')).to.deep.equal(upTo(500))
    expect(await idsOf('--limit', '3', '--newest-first')).to.deep.equal([1_001, 1_000, 999])
    expect(await idsOf('--limit', '9999999')).to.have.lengthOf(ACCOUNTS)
  })

  it('goes on where a list before ended', async () => {
    expect(await idsOf('--limit', '2', '--after', '3')).to.deep.equal([4, 5])
    expect(await idsOf('--limit', '2', '--after', '3', '--newest-first')).to.deep.equal([2, 1])
    expect(await idsOf('--after', '1001')).to.deep.equal([])
    expect(await idsOf('--after', '1', '--newest-first')).to.deep.equal([])
  })

  for (const wrong of ['--limit=0', '--limit=-1', '--limit=all', '--after=0', '--after=ada@example.com'])
    it(`${wrong}: wrong usage`, async () => {
      const { code, stdout } = await place.app(['user', 'list', wrong])
      expect([code, stdout]).to.deep.equal([2, ''])
    })
})
