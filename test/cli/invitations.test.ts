import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { AccountId } from '../../src/domain/identity/account.js'
import { PROOFS_PERMITTED } from '../support/mail/composed-proofs.js'
import { workplaceOfTests } from './app.js'

const EMAIL = 'ada@example.com'
const SAVED = [0, { errors: [], save: 1 }]

type Row = Record<string, unknown>

describe('app', () => {
  const place = workplaceOfTests()
  const run = (command: string) => {
    const env = { PERMISSIONS_FILE: join(place.folder, 'permissions.json') }
    return place.run(command, { env, input: 'a good long password' })
  }
  const refused = async (command: string) => {
    const [code, printed] = await run(command)
    return [code, (printed as { errors: readonly Row[] }).errors[0]?.['message']]
  }
  const rows = async (options = '') => (await run(`invitation list${options}`))[1] as readonly Row[]
  beforeEach(() => writeFileSync(join(place.folder, 'permissions.json'), JSON.stringify(PROOFS_PERMITTED)))

  it('user invite: invites a user with roles; invitation list, send and revoke use the id of the invitation', async () => {
    await run('role create editor Editor')
    await run('role create author Author')
    const [code, printed] = await run(`user invite ${EMAIL} --role editor --role author`)
    const { id, ...saved } = printed as Row
    expect([code, saved]).to.deep.equal(SAVED)
    await run('user invite bob@example.com')
    const [ada, bob] = await rows()
    expect(ada)
      .to.include({ id, email: EMAIL })
      .and.to.have.keys('id', 'email', 'roles', 'createdAt', 'expiresAt')
    expect(ada?.['roles']).to.have.members(['editor', 'author'])
    expect(Date.parse(String(ada?.['expiresAt'])) - Date.parse(String(ada?.['createdAt']))).to.equal(
      604_800_000,
    )
    expect(await rows(' --limit 1')).to.deep.equal([ada])
    expect(await rows(` --after ${String(id)}`)).to.deep.equal([bob])
    expect(await run(`invitation send ${String(id)}`)).to.deep.equal(SAVED)
    expect(await run(`invitation revoke ${String(id)}`)).to.deep.equal(SAVED)
    expect(await rows()).to.deep.equal([bob])
    const unknown = [1, 'There is no invitation with this id.']
    for (const command of ['send', 'revoke'])
      expect(await refused(`invitation ${command} ${String(id)}`)).to.deep.equal(unknown)
    expect(await refused('user invite eve@example.com --role none')).to.deep.equal([
      1,
      'There is no role "none".',
    ])
  })

  it('user approve: enables an account that waits for approval', async () => {
    await run(`user create ${EMAIL} --password-stdin`)
    const waits = [1, 'The account is not waiting for approval.']
    expect(await refused(`user approve ${EMAIL}`)).to.deep.equal(waits)
    await place.onStore(async ({ accounts }) => {
      const account = await accounts.find(1 as AccountId)
      await accounts.setDisabled(1 as AccountId, account?.createdAt)
    })
    expect(await run(`user approve ${EMAIL}`)).to.deep.equal(SAVED)
    expect(await refused(`user approve ${EMAIL}`)).to.deep.equal(waits)
  })
})
