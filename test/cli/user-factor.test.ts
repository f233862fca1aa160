import { expect } from 'chai'
import { enrol, giveFactor } from '../../src/contracts/arrangements.js'
import { NOW, SECOND } from '../../src/contracts/samples.js'
import { makeWorkplace, type Workplace } from './app.js'
import { onStoreOf } from './workplace-store.js'

const NONE = { active: false, recoveryCodesLeft: 0, required: false, since: null }

describe('app user factor', () => {
  let place: Workplace

  before(async () => {
    place = await makeWorkplace()
    await onStoreOf(place, async (store) => {
      await giveFactor(store, await enrol(store, 'ada'))
      await enrol(store, 'bob')
    })
  })
  after(() => place.remove())

  const factor = async (...args: string[]) => {
    const { code, stdout } = await place.app(['user', 'factor', ...args])
    return [code, JSON.parse(stdout) as unknown]
  }

  it('shows whether an account has a factor', async () => {
    const since = new Date(NOW + SECOND).toISOString()
    expect(await factor('ADA@example.org')).to.deep.equal([
      0,
      { active: true, recoveryCodesLeft: 2, required: false, since },
    ])
    expect(await factor('bob@example.org')).to.deep.equal([0, NONE])
  })

  it('shows whether a role of the account needs a factor', async () => {
    await place.app(['role', 'create', 'admin', 'Administrator'])
    await place.app(['user', 'role', 'bob@example.org', 'admin'])
    const { stdout } = await place.app(['user', 'factor', 'bob@example.org'], {
      env: { SECOND_FACTOR: 'admin' },
    })
    expect(JSON.parse(stdout)).to.deep.equal({ ...NONE, required: true })
  })

  it('removes the factor once, which is audited', async () => {
    expect(await factor('ada@example.org', '--remove')).to.deep.equal([0, { errors: [], save: 1 }])
    expect(await factor('ada@example.org')).to.deep.equal([0, NONE])
    const { stdout } = await place.app(['audit', 'list', '--event', 'factor.remove', '--json'])
    const rows = JSON.parse(stdout) as { subject: string; actor: string }[]
    expect(rows.map(({ subject }) => subject)).to.deep.equal(['account:1'])
    expect(rows[0]?.actor).to.match(/^cli:/)
  })

  it('fails a second time, and for an account without a factor', async () => {
    const message = 'The account has no second factor.'
    for (const email of ['ada@example.org', 'BOB@example.org', 'bob@example.org'])
      expect(await factor(email, '--remove'), email).to.deep.equal([
        1,
        { errors: [{ field: 'email', type: 'NotFound', message, code: 404 }], save: 0 },
      ])
    expect(await factor('bob@example.org')).to.deep.equal([0, NONE])
  })

  it('fails for an unknown account', async () => {
    const message = 'There is no account with this email.'
    for (const more of [[], ['--remove']])
      expect(await factor('nobody@example.org', ...more)).to.deep.equal([
        1,
        { errors: [{ field: 'email', type: 'NotFound', message, code: 404 }], save: 0 },
      ])
  })
})
