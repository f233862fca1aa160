import { expect } from 'chai'
import { addAccount, addPasskey } from '../../src/contracts/arrangements.js'
import { NOW } from '../../src/contracts/samples.js'
import type { PasskeyId } from '../../src/domain/identity/passkey.js'
import { workplaceOfTests } from './app.js'

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
