import { expect } from 'chai'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import { factorHolder } from '../../support/factor.js'
import { codeOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const LIMIT = { count: 3, window: 60_000 }
const ADA = 'Ada@bücher.example'
const BOB = 'bob@example.com'
const HERE = { address: '192.0.2.1' }
const CLIENTS = [HERE, { address: '2001:db8::1' }, { address: '198.51.100.7:4711' }, undefined]
const NEW = 'a password of tomorrow'

/** Operator calls that unlock an account, each with the password that is valid afterwards. */
const UNLOCKING: Readonly<
  Record<string, readonly [string, (kennel: Composed, email: string) => Promise<unknown>]>
> = {
  unlockUser: [PASSWORD, ({ useCases }, email) => useCases.unlockUser({ caller, email })],
  setPassword: [NEW, ({ useCases }, email) => useCases.setPassword({ caller, email, password: NEW })],
  setAllPasswords: [NEW, ({ useCases }) => useCases.setAllPasswords({ caller, password: () => NEW })],
}

describe('an account that is locked after wrong passwords', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({ loginLimit: LIMIT, mode: 'stateful' })
    for (const email of [ADA, BOB]) await kennel.account(email)
  })

  type Client = (typeof CLIENTS)[number]
  const login = (email: string, password: string, client: Client) =>
    kennel.useCases.login({ email, password, presented: { client } })
  const outcome = (email: string, password: string, client: Client) =>
    login(email, password, client).then(() => 'logged in', codeOfError)

  /** Sends wrong passwords until the account is locked out from this client. */
  async function lock(email: string, client: Client): Promise<void> {
    for (let tries = 0; tries < 10 * LIMIT.count; tries += 1) await outcome(email, 'wrong', client)
    expect(await outcome(email, PASSWORD, client)).to.equal('too-many-attempts')
  }

  for (const [name, [password, unlock]] of Object.entries(UNLOCKING)) {
    it(`can log in from any network after ${name}, and has its full limit again`, async () => {
      for (const client of CLIENTS) await lock('ADA@xn--bcher-kva.example', client)
      await unlock(kennel, ADA)
      for (const client of CLIENTS.slice(1))
        expect(await outcome(ADA, password, client)).to.equal('logged in')
      for (let tries = 0; tries < LIMIT.count; tries += 1)
        expect(await outcome(ADA, 'wrong', CLIENTS[1])).to.equal('login-failed')
      expect(await outcome(ADA, password, CLIENTS[1])).to.equal('too-many-attempts')
    })
  }

  it('does not unlock another account, or a network with too many failures', async () => {
    await lock(BOB, undefined)
    for (const email of ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', BOB])
      await lock(email, HERE)
    await kennel.useCases.unlockUser({ caller, email: ADA })
    expect(await outcome(BOB, PASSWORD, undefined)).to.equal('too-many-attempts')
    await kennel.useCases.unlockUser({ caller, email: BOB })
    expect(await outcome(BOB, PASSWORD, undefined)).to.equal('logged in')
    // Wrong passwords for five accounts have used up the limit of the network.
    expect(await outcome(BOB, PASSWORD, HERE)).to.equal('too-many-attempts')
  })

  it('accepts second-factor codes again', async () => {
    const holder = await factorHolder(kennel, 'cleo@example.com')
    const remove = (code: string) =>
      kennel.useCases.removeSecondFactor({ password: PASSWORD, code, presented: presentedBy(holder.issued) })
    for (let tries = 0; tries < 20; tries += 1) await remove('000000').catch(() => undefined)
    expect(await codeOf(remove(holder.code(1)))).to.equal('too-many-attempts')
    await kennel.useCases.unlockUser({ caller, email: String(holder.id) })
    expect(await remove(holder.code(1))).to.include({ active: false })
  })

  it('retains its sessions and remains disabled', async () => {
    const presented = presentedBy(await login(ADA, PASSWORD, HERE))
    await kennel.useCases.unlockUser({ caller, email: ADA })
    expect(await kennel.useCases.getIdentity(presented)).to.have.property('accountId')
    await kennel.useCases.disableUser({ caller, email: ADA })
    await kennel.useCases.unlockUser({ caller, email: ADA })
    expect(await outcome(ADA, PASSWORD, HERE)).to.equal('login-failed')
  })
})

function codeOfError(error: unknown): string {
  return String((error as { code?: unknown }).code)
}
