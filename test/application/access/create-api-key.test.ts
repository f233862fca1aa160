import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { refusalOf, refused } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

describe('create API key', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const key of ['editor', 'author'])
      await kennel.useCases.createRole({ caller: OPERATOR, key, label: key })
  })

  const HOUR = 3_600_000
  const createUntil = (expiresAt: number) =>
    kennel.useCases.createApiKey({ caller: OPERATOR, name: 'billing', roles: [], expiresAt })
  const create = (name: string, ...roles: readonly string[]) =>
    kennel.useCases.createApiKey({ caller: OPERATOR, name, roles })
  const list = () => kennel.store.apiKeys.page(undefined, 10)

  it('returns the key, and stores only its digest', async () => {
    const { id, key } = await create(' billing ', 'editor', 'author', 'editor')
    const [stored] = await list()
    expect(stored).to.include({ id, name: 'billing', createdAt: START })
    expect(stored?.roles.map((role) => role.key)).to.have.members(['author', 'editor'])
    expect(JSON.stringify(stored)).to.not.include(key)
    expect(await kennel.audited()).to.deep.equal([`apikey.create cli:tester apikey:${id} success`])
  })

  it('returns a new key each time, which opens the catalogue with its roles', async () => {
    const { id, key } = await create('billing', 'editor')
    expect((await create('billing', 'editor')).key).to.not.equal(key)
    const caller = await kennel.useCases.authenticatePetClient({ apiKey: key })
    expect(caller).to.include({ kind: 'api-key', apiKeyId: id })
  })

  it('gives a key that ends at its moment, and not before', async () => {
    const { key } = await createUntil(START + HOUR)
    const authenticate = () => kennel.useCases.authenticatePetClient({ apiKey: key })
    expect((await list())[0]).to.include({ expiresAt: START + HOUR })
    kennel.clock.now = START + HOUR - 1
    expect(await authenticate()).to.include({ kind: 'api-key' })
    kennel.clock.now = START + HOUR
    expect((await refusalOf(authenticate())).code).to.equal('invalid-credentials')
  })

  it('rejects an end in the past', async () => {
    expect(await refused(createUntil(START))).to.deep.equal(['invalid', 'expiresAt', 'NotValid'])
    expect([await list(), await kennel.audited()]).to.deep.equal([[], []])
  })

  it('rejects an invalid name and an invalid or unknown role', async () => {
    expect(await refused(create(''))).to.deep.equal(['invalid', 'name', 'Length'])
    expect(await refused(create('billing', 'a b'))).to.deep.equal(['invalid', 'role', 'Format'])
    expect(await refused(create('billing', 'editor', 'none'))).to.deep.equal([
      'not-found',
      'role',
      'NotFound',
    ])
    expect([await list(), await kennel.audited()]).to.deep.equal([[], []])
  })
})
