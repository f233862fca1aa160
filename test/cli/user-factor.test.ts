import { expect } from 'chai'
import { addAccount, addFactor } from '../../src/contracts/arrangements.js'
import { NOW, SECOND } from '../../src/contracts/samples.js'
import { workplaceOfTests } from './app.js'

const NONE = { active: false, recoveryCodesLeft: 0, required: false, since: null }

describe('app user factor', () => {
  const place = workplaceOfTests({ shared: true })

  before(async () => {
    await place.onStore(async (store) => {
      await addFactor(store, await addAccount(store, 'ada'))
      await addAccount(store, 'bob')
    })
  })

  const factor = (args: string) => place.run(`user factor ${args}`)

  it('shows whether an account has a second factor', async () => {
    const since = new Date(NOW + SECOND).toISOString()
    expect(await factor('ADA@example.org')).to.deep.equal([
      0,
      { active: true, recoveryCodesLeft: 2, required: false, since },
    ])
    expect(await factor('bob@example.org')).to.deep.equal([0, NONE])
  })

  it('shows whether a role of the account requires a second factor', async () => {
    await place.run('role create admin Administrator')
    await place.run('user role bob@example.org admin')
    const shown = await place.run('user factor bob@example.org', { env: { SECOND_FACTOR: 'admin' } })
    expect(shown).to.deep.equal([0, { ...NONE, required: true }])
  })

  it('removes the second factor once, with an audit record', async () => {
    expect(await factor('ada@example.org --remove')).to.deep.equal([0, { errors: [], save: 1 }])
    expect(await factor('ada@example.org')).to.deep.equal([0, NONE])
    expect(JSON.stringify(await factor('ada@example.org --remove'))).to.contain(
      'The account has no second factor.',
    )
    const [, printed] = await place.run('audit list --event factor.remove --json')
    const rows = printed as { subject: string; actor: string }[]
    expect(rows.map(({ subject }) => subject)).to.deep.equal(['account:1'])
    expect(rows[0]?.actor).to.match(/^cli:/)
  })
})
