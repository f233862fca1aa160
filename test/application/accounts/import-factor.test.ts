import { expect } from 'chai'
import fc from 'fast-check'
import { TOTP } from 'otpauth'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { importUsers, type ImportedUser } from '../../../src/application/accounts/import-users.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { type SealedSecret } from '../../../src/domain/identity/second-factor.js'
import type { Store } from '../../../src/ports/store.js'
import { STEP } from '../../support/factor.js'
import { oneTimeCode } from '../../support/one-time-code.js'
import { codeOf, refused } from '../../support/refusal-of.js'
import { storedHash } from '../../support/stored-hash.js'
import { composeUseCases, PASSWORD, START, type Composed } from '../../support/use-cases.js'
import { MISHAPS, watching } from '../../support/watched-store.js'

const email = 'ada@example.com'
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const USER: ImportedUser = {
  ...{ email, passwordHash: storedHash(PASSWORD, { logN: 10, r: 1, p: 1 }) },
  totp: { secret: SECRET },
}
const CALLS = ['accounts.insert', 'secondFactors.begin', 'secondFactors.activate', 'accounts.setDisabled']

const importing = ({ useCases }: Composed) => useCases.importUsers({ caller: OPERATOR })
const stored = (store: Store) => store.accounts.findByEmail(email as Email)
const logIn = ({ useCases }: Composed, code?: string) =>
  useCases.login({ email, password: PASSWORD, ...(code !== undefined && { code }), presented: {} })

async function assertNeedsCode(kennel: Composed): Promise<void> {
  expect(await codeOf(logIn(kennel))).to.equal('second-factor-required')
  kennel.clock.now += STEP
  expect((await logIn(kennel, oneTimeCode(SECRET, kennel.clock.now))).identity).to.include({ email })
}

describe('an imported second factor', () => {
  for (const parameters of [
    { algorithm: 'SHA1', digits: 6, period: 30 },
    { algorithm: 'SHA512', digits: 8, period: 60 },
  ] as const)
    it(`accepts each code once: ${Object.values(parameters).join(', ')}`, async () => {
      const kennel = await composeUseCases()
      const totp = { secret: SECRET, ...parameters }
      expect(await importing(kennel)({ ...USER, totp })).to.equal('saved')
      const code = new TOTP(totp).generate({ timestamp: kennel.clock.now })
      expect(await codeOf(logIn(kennel))).to.equal('second-factor-required')
      expect((await logIn(kennel, code)).identity).to.include({ email })
      expect(await codeOf(logIn(kennel, code))).to.equal('login-failed')
    })

  it('leaves a disabled account disabled, and is required once the account is enabled', async () => {
    const kennel = await composeUseCases()
    const disabled = { ...USER, disabled: true }
    expect(await importing(kennel)(disabled)).to.equal('saved')
    for (const again of [disabled, USER]) expect(await importing(kennel)(again)).to.equal('unchanged')
    expect(await codeOf(logIn(kennel, oneTimeCode(SECRET, kennel.clock.now)))).to.equal('login-failed')
    expect(await codeOf(kennel.useCases.approveUser({ caller: OPERATOR, email }))).to.equal('conflict')
    await kennel.useCases.enableUser({ caller: OPERATOR, email })
    await assertNeedsCode(kennel)
  })

  it('is not added to an existing disabled account, and does not enable it', async () => {
    const kennel = await composeUseCases()
    await importing(kennel)({ ...USER, totp: undefined, disabled: true })
    const before = await stored(kennel.store)
    expect(await importing(kennel)(USER)).to.equal('unchanged')
    expect(await stored(kennel.store)).to.deep.equal(before)
    expect(await codeOf(kennel.useCases.approveUser({ caller: OPERATOR, email }))).to.equal('conflict')
  })

  it('is refused together with its account if the secret is invalid or the store has no second factors', async () => {
    const { secondFactors: _, ...lacking } = createMemoryStore()
    const [kennel, without] = [await composeUseCases(), await composeUseCases({ store: lacking as Store })]
    const wrong = { ...USER, totp: { secret: 'not base32!' } }
    expect(await refused(importing(kennel)(wrong))).to.deep.equal(['invalid', 'totp', 'Format'])
    expect(await refused(importing(without)(USER))).to.deep.equal(['invalid', 'totp', 'Format'])
    for (const { store } of [kennel, without]) expect(await stored(store)).to.equal(undefined)
  })
})

describe('an interrupted import of a second factor', () => {
  for (const broken of CALLS)
    for (const mishap of ['fails', 'loses its answer'] as const)
      it(`is completed by the next import if ${broken} ${mishap}`, async () => {
        const store = createMemoryStore()
        const aroundStore = watching((name, run) => (name === broken ? MISHAPS[mishap](run) : run()))
        const failing = await composeUseCases({ store: aroundStore(store) })
        expect(await importing(failing)(USER).catch(() => 'failed')).to.equal('failed')
        const kennel = await composeUseCases({ store })
        const isEnabled = broken === 'accounts.setDisabled' && mishap === 'loses its answer'
        const code = await codeOf(logIn(kennel))
        expect(code).to.equal(isEnabled ? 'second-factor-required' : 'login-failed')
        const outcome = isEnabled ? 'unchanged' : 'saved'
        const rehearse = kennel.useCases.importUsers({ caller: OPERATOR, dryRun: true })
        expect(await rehearse(USER)).to.equal(outcome)
        expect(await importing(kennel)(USER)).to.equal(outcome)
        await assertNeedsCode(kennel)
      })

  it('does not enable the account if an operator removes its pending factor during the import', async () => {
    const store = createMemoryStore()
    const aroundStore = watching(async (name, run) => {
      const id = (await stored(store))?.id
      if (name === 'secondFactors.activate' && id !== undefined) await store.secondFactors.remove(id)
      return await run()
    })
    await importing(await composeUseCases({ store: aroundStore(store) }))(USER)
    expect(await stored(store)).to.have.property('disabledAt')
    const kennel = await composeUseCases({ store })
    expect(await importing(kennel)(USER)).to.equal('saved')
    await assertNeedsCode(kennel)
  })
})

describe('an account with an unfinished import', () => {
  const named = { caller: OPERATOR, email }
  /** Starts an import that saves the account but fails to store its second factor. */
  async function unfinished(store: Store = createMemoryStore()): Promise<Composed> {
    const aroundStore = watching((name, run) => (name === 'secondFactors.begin' ? MISHAPS.fails() : run()))
    await importing(await composeUseCases({ store: aroundStore(store) }))(USER).catch(() => 'failed')
    return await composeUseCases({ store })
  }

  it('is left unchanged by an import without a factor, even in a dry run', async () => {
    const { store, useCases } = await unfinished()
    const { totp: _, ...user } = USER
    for (const dryRun of [true, false])
      expect(await useCases.importUsers({ caller: OPERATOR, dryRun })(user)).to.equal('unchanged')
    expect(await stored(store)).to.have.property('disabledAt')
  })

  it('cannot be enabled by an operator without its factor, and is completed by the next import', async () => {
    const kennel = await unfinished()
    expect(await refused(kennel.useCases.enableUser(named))).to.deep.equal(['conflict', 'email', 'Conflict'])
    expect(await codeOf(logIn(kennel))).to.equal('login-failed')
    expect(await importing(kennel)(USER)).to.equal('saved')
    await assertNeedsCode(kennel)
  })

  for (const next of CALLS)
    it(`stays disabled if an operator disables it before the import calls ${next}`, async () => {
      const { store, useCases } = await unfinished()
      const aroundStore = watching(async (name, run) => {
        if (name === next) await useCases.disableUser(named)
        return await run()
      })
      await importing(await composeUseCases({ store: aroundStore(store) }))(USER)
      expect(await stored(store)).to.include({ disabledAt: START + 1 })
    })

  for (const write of [1, 2])
    it(`is disabled even if an import completes it before write ${write} of \`disableUser\``, async () => {
      const kennel = await unfinished()
      let writes = 0
      const aroundStore = watching(async (name, run) => {
        if (name === 'accounts.setDisabled' && (writes += 1) === write) await importing(kennel)(USER)
        return await run()
      })
      await (await composeUseCases({ store: aroundStore(kennel.store) })).useCases.disableUser(named)
      expect(await stored(kennel.store)).to.include({ disabledAt: START + 1 })
    })
})

describe('concurrent imports of one account with a second factor', () => {
  it('create one account, which is never enabled without its factor', async () => {
    const { useCases } = await composeUseCases()
    const { hasher, authorize, assertWithin, audit } = useCases
    const parts = { hasher, authorize, assertWithin, audit, clock: () => START }
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, processes) => {
        const store = createMemoryStore()
        const watched = watching(async (_, run) => {
          await scheduler.schedule(Promise.resolve())
          const answer = await run()
          const found = await stored(store)
          if (found && found.disabledAt === undefined) expect(found).to.have.property('secondFactor')
          return answer
        })(store)
        // Real cryptography uses threads, which would make the order of the calls random.
        let sealed = 0
        const seal = async () => `sealed ${(sealed += 1)}` as SealedSecret
        const loadSecretSeal = async () => ({ seal })
        const imports = Array.from({ length: processes }, () =>
          importUsers.factory({ ...parts, ...watched, audit, loadSecretSeal })({ caller: OPERATOR })(USER),
        )
        expect(await scheduler.waitFor(Promise.all(imports))).to.include('saved')
        const account = await stored(store)
        expect(account).to.have.property('secondFactor', START)
        expect(account).to.not.have.property('disabledAt')
      }),
    )
  })
})
