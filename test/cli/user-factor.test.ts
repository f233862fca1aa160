import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { TOTP } from 'otpauth'
import { addAccount, addFactor } from '../../src/contracts/arrangements.js'
import { NOW, SECOND } from '../../src/contracts/samples.js'
import { makeWorkplace, workplaceOfTests } from './app.js'

const PASSWORD = 'a quiet river at dusk'
const NONE = { active: false, recoveryCodesLeft: 0, required: false, since: null }

describe('app user factor', () => {
  it('accepts the codes of an imported factor', async () => {
    const place = await makeWorkplace()
    try {
      const totp = { secret: 'GEZDGNBVGY3TQOJQ', algorithm: 'SHA512', digits: 8, period: 60 }
      const user = { email: 'ada@example.org', passwordHash: hashSync(PASSWORD, 4), totp }
      await writeFile(join(place.folder, 'accounts.ndjson'), JSON.stringify(user))
      const imported = [0, { errors: [], save: 1, unchanged: 0 }]
      expect(await place.run('user import accounts.ndjson')).to.deep.equal(imported)
      const { origin } = await place.serve()
      const body = JSON.stringify({ email: user.email, password: PASSWORD, code: new TOTP(totp).generate() })
      const headers = { 'Content-Type': 'application/json', Connection: 'close' }
      const { status } = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body })
      expect(status).to.equal(200)
    } finally {
      await place.remove()
    }
  })

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

  it('removes the second factor only once, and writes one audit record', async () => {
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
