import { expect } from 'chai'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'
import { makeWorkplace, type Workplace } from './app.js'
import { onStoreOf } from './workplace-store.js'

/** More than the command reads in one page. */
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

  it('lists all accounts, by ID, or newest first', async () => {
    const all = upTo(ACCOUNTS)
    expect(await idsOf()).to.deep.equal(all)
    expect(await idsOf('--newest-first')).to.deep.equal(all.toReversed())
  })

  it('lists the requested number, even over several pages of the store', async () => {
    expect(await idsOf('--limit', '3')).to.deep.equal([1, 2, 3])
    expect(await idsOf('--limit', '501')).to.deep.equal(upTo(501))
    expect(await idsOf('--limit', '500')).to.deep.equal(upTo(500))
    expect(await idsOf('--limit', '3', '--newest-first')).to.deep.equal([1_001, 1_000, 999])
    expect(await idsOf('--limit', '9999999')).to.have.lengthOf(ACCOUNTS)
  })

  it('continues after an earlier list', async () => {
    expect(await idsOf('--limit', '2', '--after', '3')).to.deep.equal([4, 5])
    expect(await idsOf('--limit', '2', '--after', '3', '--newest-first')).to.deep.equal([2, 1])
    expect(await idsOf('--after', '1001')).to.deep.equal([])
    expect(await idsOf('--after', '1', '--newest-first')).to.deep.equal([])
  })

  describe('with filters', () => {
    before(async () => {
      await onStoreOf(place, async ({ accounts, roles }) => {
        for (const key of ['editor', 'none'])
          await roles.insert({ uuid: key, key: key as RoleKey, label: key })
        for (const id of [7, 70, 700]) {
          await roles.assign(`user-${id}@example.com` as Email, 'editor' as RoleKey)
          if (id > 7) await accounts.setDisabled(id as AccountId, 1)
        }
      })
    })

    it('finds by email prefix, role, disabled state, and all combined, ordered by email', async () => {
      const sorted = upTo(ACCOUNTS).map((id) => `user-${id}@example.com`)
      expect(await idsOf('--email', 'USER-100')).to.deep.equal([1_000, 1_001, 100])
      expect(await idsOf('--email', 'user-7@')).to.deep.equal([7])
      expect(await idsOf('--role', 'editor')).to.deep.equal([700, 70, 7])
      expect(await idsOf('--disabled')).to.deep.equal([700, 70])
      expect(await idsOf('--role', 'editor', '--disabled', '--email', 'user-70@')).to.deep.equal([70])
      expect(await idsOf('--role', 'none')).to.deep.equal([])
      const found = (await idsOf('--email', 'u')).map((id) => `user-${id}@example.com`)
      expect(found).to.deep.equal(sorted.sort())
    })

    it('lists the requested number, and continues after an earlier list', async () => {
      expect(await idsOf('--role', 'editor', '--limit', '2')).to.deep.equal([700, 70])
      const after = ['--after', 'user-70@example.com']
      expect(await idsOf('--role', 'editor', '--limit', '2', ...after)).to.deep.equal([7])
      expect(await idsOf('--disabled', '--after', 'user-60@example.com')).to.deep.equal([700, 70])
      expect(await idsOf('--email', 'user-99', '--limit', '501')).to.have.lengthOf(11)
    })

    for (const [args, code, type, field] of [
      [['--role', 'nobody'], 404, 'NotFound', 'role'],
      [['--role', 'no body'], 400, 'Format', 'role'],
      [['--email', 'a b'], 400, 'Format', 'email'],
      [['--email', ''], 400, 'Format', 'email'],
      [['--disabled', '--after', '@'], 400, 'Format', 'after'],
    ] as const)
      it(`${args.join(' ')}: is an error, and nothing is listed`, async () => {
        const outcome = await place.app(['user', 'list', ...args])
        const { errors, save } = JSON.parse(outcome.stdout) as { errors: object[]; save: number }
        expect([outcome.code, save]).to.deep.equal([1, 0])
        expect(errors[0]).to.include({ code, type, field })
      })

    for (const wrong of [
      ['--email=a', '--newest-first'],
      ['--role=editor', '--after=7'],
      ['--disabled', '--limit=0'],
      ['--disabled=yes'],
    ])
      it(`${wrong.join(' ')}: wrong usage`, async () => {
        const { code, stdout } = await place.app(['user', 'list', ...wrong])
        expect([code, stdout]).to.deep.equal([2, ''])
      })
  })

  for (const wrong of ['--limit=0', '--limit=-1', '--limit=all', '--after=0', '--after=ada@example.com'])
    it(`${wrong}: wrong usage`, async () => {
      const { code, stdout } = await place.app(['user', 'list', wrong])
      expect([code, stdout]).to.deep.equal([2, ''])
    })
})
