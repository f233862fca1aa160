import { expect } from 'chai'
import { addAccount, addFactor, addPasskey } from '../../src/contracts/arrangements.js'
import { NOW, SECOND } from '../../src/contracts/samples.js'
import { workplaceOfTests, wrongUsageOf } from './app.js'
import type { PasskeyId } from '../../src/domain/identity/passkey.js'
import { COMMANDS } from '../../src/program/commands.js'
import { idOf, STEPS } from './every-command.js'

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

const SEEN = { synced: true, backedUp: false, createdAt: new Date(NOW).toISOString() }

// Shorter than a session key, because the check for printed secrets would flag a string of that length.
const [PHONE, KEY] = ['lEaFq7Vb0aqm6pW1VZ-9Ug', 'p6nHWtoFJTDUeVgqUOmGLA'] as PasskeyId[] as [
  PasskeyId,
  PasskeyId,
]

describe('app user passkey', () => {
  const place = workplaceOfTests({ shared: true })

  before(async () => {
    await place.onStore(async (store) => {
      const ada = await addAccount(store, 'ada')
      await addPasskey(store, ada, 'Phone', { id: PHONE })
      await addPasskey(store, ada, 'Key', { id: KEY, createdAt: NOW + 1, lastUsedAt: NOW + 2, synced: false })
    })
  })

  const passkey = (args: string) => place.run(`user passkey ada@example.org ${args}`)
  const phone = { id: PHONE, name: 'Phone', lastUsedAt: null, ...SEEN }

  it('lists the passkeys of an account, oldest first, without their keys', async () => {
    const times = { createdAt: new Date(NOW + 1).toISOString(), lastUsedAt: new Date(NOW + 2).toISOString() }
    const key = { ...SEEN, id: KEY, name: 'Key', ...times, synced: false }
    expect(await passkey('--json')).to.deep.equal([0, [phone, key]])
  })

  it('removes a passkey only once, and writes one audit record', async () => {
    const removal = `--remove ${KEY}`
    expect(await passkey(removal)).to.deep.equal([0, { errors: [], save: 1 }])
    expect(await passkey('--json')).to.deep.equal([0, [phone]])
    expect(JSON.stringify(await passkey(removal))).to.contain('The account has no such passkey.')
    const [, printed] = await place.run('audit list --event passkey.remove --json')
    expect((printed as { subject: string }[]).map(({ subject }) => subject)).to.deep.equal(['account:1'])
  })
})

const EMAIL = 'ada@example.com'
const isFirst = (command: string) => ['user:create', 'role:create'].includes(idOf(command))

describe('the account argument of a command', () => {
  const place = workplaceOfTests()

  it('can be an account ID wherever an email is accepted', async () => {
    const tried = new Set<string>()
    for (const [command, status, input = ''] of STEPS) {
      if (!isFirst(command) && !command.includes(EMAIL)) continue
      const words = (isFirst(command) ? command : command.replace(EMAIL, '1')).split(' ')
      const { code, stdout, stderr } = await place.app(words, { input })
      expect(code, `${command} ${stdout} ${stderr}`).to.equal(status)
      if (!isFirst(command)) tried.add(idOf(command))
    }
    const named: string[] = []
    for (const [id, load] of Object.entries(COMMANDS))
      if ('email' in (await load()).args && id !== 'user:create') named.push(id)
    expect([...tried]).to.have.members(named)
  })

  it('cannot be an account ID if a password would be derived from the argument', async () => {
    await wrongUsageOf(place, 'user password 1')
  })
})
