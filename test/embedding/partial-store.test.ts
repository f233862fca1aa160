import { expect } from 'chai'
import { createHandler } from '../../src/adapters/web/index.js'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import type { Endpoint } from '../../src/http/endpoint.js'
import { ENDPOINTS } from '../../src/http/endpoints.js'
import { aPet } from '../../src/contracts/samples.js'
import { PETS, PROJECTS } from '../../src/application/operations.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import {
  openKennel,
  OptionsError,
  type Kennel,
  type KennelOptions,
  type KennelOver,
} from '../../src/index.js'
import { completePort } from '../../src/ports/given-store.js'
import { SILENT_LOG, type LogFields } from '../../src/ports/log.js'
import { combineStores } from '../../src/embedding/combine-stores.js'
import type { OptionalPort, PartialStore, Store } from '../../src/ports/store.js'
import { presentedBy } from '../support/use-cases.js'
import { PROOFS_PERMITTED } from '../support/mail/composed-proofs.js'
import { DELIVERS, GENEROUS, goodOptions } from './opening.js'
import { PASSWORD } from './valid-inputs.js'

const caller = OPERATOR
const email = 'rex@pets.example'
const { store: _, ...OPTIONS } = goodOptions({ permissions: GENEROUS, parts: { mailer: DELIVERS } })

type Feature = Exclude<OptionalPort, 'copyableRecords'>
/** The methods that the type of a Kennel without this port omits. */
type Absent<Port extends Feature> = Exclude<keyof Kennel, keyof KennelOver<Omit<Store, Port>>>

const namesOf = <Operations extends object>(operations: Operations) =>
  Object.keys(operations).sort() as (keyof Operations)[]

/**
 * For each port, the methods that are missing from a Kennel without that port. Compilation fails if the type of such a
 * Kennel has one of them.
 */
const ABSENT: { readonly [Port in Feature]: readonly Absent<Port>[] } = {
  pets: namesOf(PETS),
  projects: namesOf(PROJECTS),
  roles: ['assignRole', 'createRole', 'deleteRole', 'listRoles'],
  apiKeys: ['authenticateApiKey', 'authenticatePetClient', 'createApiKey', 'listApiKeys', 'revokeApiKey'],
  revocations: [],
  audit: ['listAudit'],
  secondFactors: [
    'confirmSecondFactor',
    'readSecondFactor',
    'readUserFactor',
    'removeSecondFactor',
    'removeUserFactor',
    'renewRecoveryCodes',
    'setUpSecondFactor',
  ],
  passkeys: ['listUserPasskeys', 'removeUserPasskey'],
  proofs: [
    ...([
      'confirmEmailChange',
      'confirmLoginMail',
      'confirmSignUp',
      'consumeResetToken',
      'inviteUser',
      'listInvitations',
    ] as const),
    ...(['requestEmailChange', 'requestLoginMail', 'requestPasswordReset', 'requestSignUp'] as const),
    ...(['revokeInvitation', 'sendInvitation', 'sendResetMail', 'undoEmailChange'] as const),
  ],
  mailQueue: [
    ...([
      'approveUser',
      'confirmEmailChange',
      'consumeResetToken',
      'inviteUser',
      'requestEmailChange',
    ] as const),
    ...(['requestLoginMail', 'requestPasswordReset', 'requestSignUp', 'sendInvitation'] as const),
    ...(['sendMails', 'sendResetMail'] as const),
  ],
}
const FEATURES = Object.keys(ABSENT) as Feature[]

type Equal<One, Other> = [One, Other] extends [Other, One] ? true : false
const WHOLE: readonly true[] = [
  true satisfies Equal<KennelOver<Store>, Kennel>,
  true satisfies Equal<KennelOver<string>, Kennel>,
  true satisfies Equal<
    keyof KennelOver<Omit<Store, 'pets' | 'apiKeys'>>,
    Exclude<keyof Kennel, Absent<'pets' | 'apiKeys'>>
  >,
]

function without(...ports: readonly OptionalPort[]): PartialStore {
  const kept = Object.entries(createMemoryStore()).filter(([name]) => !ports.includes(name as OptionalPort))
  return Object.fromEntries(kept) as PartialStore
}

async function errorsOf(options: object): Promise<readonly string[]> {
  const error: unknown = await openKennel({ ...OPTIONS, ...options }).catch((reason: unknown) => reason)
  expect(error).to.be.instanceOf(OptionsError)
  return (error as OptionsError).errors
}

describe('a Kennel with an incomplete store', () => {
  for (const port of FEATURES) {
    it(`lacks only the methods that need the port ${port}, if this port is missing`, async () => {
      const whole = await openKennel(goodOptions({ store: createMemoryStore() }))
      const kennel = await openKennel({ ...OPTIONS, store: without(port) })
      const absent = Object.keys(whole).filter((name) => !(name in kennel))
      expect(absent.sort()).to.deep.equal(ABSENT[port])
      expect(Object.keys(kennel).filter((name) => !(name in whole))).to.deep.equal([])
      await kennel.createUser({ caller, email, password: PASSWORD })
      await kennel.login({ email, password: PASSWORD, presented: {} })
      expect(await kennel.purgeExpired()).to.equal(0)
      await Promise.all([kennel.close(), whole.close()])
    })
  }

  it('has all identity methods, even if all optional ports are missing', async () => {
    const { accounts, sessions, attempts } = createMemoryStore()
    const kennel = await openKennel({ ...OPTIONS, store: combineStores({ accounts, sessions, attempts }) })
    await kennel.createUser({ caller, email, password: PASSWORD })
    const login = await kennel.login({ email, password: PASSWORD, presented: {} })
    const presented = presentedBy(login)
    expect((await kennel.getIdentity(presented)).email).to.equal(email)
    const renewed = await kennel.refresh({ refreshToken: login.refreshToken, presented })
    expect(renewed.identity.email).to.equal(email)
    // @ts-expect-error -- The types omit this method.
    expect(kennel.listPets).to.equal(undefined)
    // @ts-expect-error -- The types omit this method.
    expect(kennel.sendMails).to.equal(undefined)
    await kennel.close()
    expect(WHOLE).to.have.lengthOf(3)
  })

  it('closes the provided mailer, even if there is no mail queue', async () => {
    let closed = 0
    const mailer = { ...DELIVERS, close: async () => void (closed += 1) }
    const kennel = await openKennel({ ...OPTIONS, store: without('mailQueue'), parts: { mailer } })
    await kennel.close()
    expect(closed).to.equal(1)
  })

  for (const [port, option, options] of [
    ['mailQueue', 'notices', { notices: ['password'], mailUrl: 'file:out' }],
    ['passkeys', 'passkeys', { passkeys: 'on' }],
  ] as const)
    it(`rejects the option ${option} if the port ${port} is missing`, async () => {
      const message = `${option} needs a store that has the port ${port}`
      expect(await errorsOf({ ...options, store: without(port) })).to.deep.equal([message])
    })

  it('rejects stateless mode with revocation if the port revocations is missing', async () => {
    const stateless = { stateless: true, statelessRevocation: 'store' }
    expect(await errorsOf({ ...stateless, store: without('revocations') })).to.deep.equal([
      'statelessRevocation=store needs a store that has the port revocations',
    ])
    const kennel = await openKennel({ ...OPTIONS, stateless: true, store: without('revocations') })
    await kennel.close()
  })

  it('logs a warning when it is opened without an audit log, unless the audit log is turned off', async () => {
    const details: unknown[] = []
    const log = {
      ...SILENT_LOG,
      warn: (_event: string, fields?: LogFields) => void details.push(fields?.detail),
    }
    for (const audit of ['store', 'off']) {
      const kennel = await openKennel({
        ...OPTIONS,
        audit,
        store: without('audit'),
        parts: { log, mailer: DELIVERS },
      })
      await kennel.close()
    }
    expect(details.filter((detail) => /no audit log/.test(String(detail)))).to.have.lengthOf(1)
  })
})

describe('a Kennel whose store lacks an optional method', () => {
  const lacking = () => {
    const { pets, ...others } = createMemoryStore()
    const names = Object.entries(pets).filter(([name]) => name !== 'findMany')
    const older = Object.fromEntries(names) as Omit<Store['pets'], 'findMany'>
    const found: number[] = []
    const find = async (id: PetId) => {
      found.push(id)
      return await pets.find(id)
    }
    return { found, store: { ...others, pets: { ...older, find } } }
  }

  it('opens, and uses other methods of the port instead', async () => {
    const { found, store } = lacking()
    for (const name of ['Rex', 'Mia', 'Bo']) await store.pets.insert(aPet(name))
    const kennel = await openKennel({ ...OPTIONS, store })
    const pets = await kennel.readPets({ caller: OPERATOR, ids: [3, 1, 7] as PetId[] as never })
    expect(pets.map(({ name }) => name)).to.deep.equal(['Rex', 'Bo'])
    expect(found).to.deep.equal([1, 3, 7])
    await kennel.close()
  })

  it('calls the other methods on the port, which can be an instance of a class', async () => {
    class Keys {
      readonly revoked: number[] = []
      readonly #keys = [1, 2, 3].map((id) => ({ id, createdBy: id === 2 ? 8 : 7 }))

      page() {
        return Promise.resolve(this.#keys)
      }

      revoke(id: number) {
        this.revoked.push(id)
        return Promise.resolve('revoked')
      }
    }
    const keys = new Keys()
    await completePort(keys as unknown as Store['apiKeys'], 'apiKeys').revokeAllOf(7 as AccountId, 0)
    expect(keys.revoked).to.deep.equal([1, 3])
  })

  it('is rejected if the value under the name of the method is not a function', async () => {
    const { store } = lacking()
    expect(await errorsOf({ store: { ...store, pets: { ...store.pets, findMany: 7 } } })).to.deep.equal([
      'store.pets has no findMany (port Pets)',
    ])
  })
})

const ALL_ROUTES: Partial<KennelOptions> = {
  administration: 'on',
  permissions: PROOFS_PERMITTED,
  mailUrl: 'file:./unused-outbox',
}

describe('the HTTP API of a Kennel with a partial store', () => {
  async function serving<T>(
    store: PartialStore,
    use: (ask: (path: string) => Promise<Response>) => Promise<T>,
    options: Partial<KennelOptions> = {},
  ): Promise<T> {
    const kennel = await openKennel({ ...OPTIONS, ...options, store })
    const handler = createHandler(kennel)
    try {
      return await use((path) => handler(new Request(`http://127.0.0.1${path}`)))
    } finally {
      await kennel.close()
    }
  }

  type Described = {
    readonly paths: Readonly<Record<string, object>>
    readonly tags: readonly { readonly name: string }[]
    readonly components: { readonly securitySchemes: object; readonly schemas: object }
  }
  const described = async (store: PartialStore, options: Partial<KennelOptions> = {}) =>
    await serving(store, async (ask) => (await (await ask('/openapi.json')).json()) as Described, options)

  /** Returns the paths of the endpoints that are missing without this port. */
  const goneWithout = (port: Feature) => {
    const absent: readonly string[] = ABSENT[port]
    const isGone = ({ operation, path }: Endpoint) =>
      absent.includes(operation ?? '') ||
      (absent.includes('authenticatePetClient') && path.startsWith('/v1/pets'))
    const left = ENDPOINTS.filter((one) => !isGone(one)).map(({ path }) => path)
    const gone = ENDPOINTS.filter((one) => isGone(one) && !left.includes(one.path))
    return [...new Set(gone.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')))]
  }
  for (const port of FEATURES) {
    it(`returns 404 at every endpoint that needs the missing port ${port}, and does not describe the endpoint`, async () => {
      const whole = Object.keys((await described(createMemoryStore(), ALL_ROUTES)).paths)
      const document = await described(without(port), ALL_ROUTES)
      const gone = whole.filter((path) => !(path in document.paths))
      // Passkeys are off, because they cannot be turned on with a store that lacks them.
      expect(gone).to.deep.equal(goneWithout(port).filter((path) => whole.includes(path)))
      const check = async (ask: (path: string) => Promise<Response>) => {
        for (const path of whole) {
          const { status } = await ask(path.replaceAll(/\{\w+\}/g, '1'))
          expect(status === 404, `${status} ${path}`).to.equal(gone.includes(path))
        }
      }
      await serving(without(port), check, ALL_ROUTES)
    })
  }

  it('describes no tag, schema or credential of a missing feature', async () => {
    const { tags, components } = await described(without('pets', 'projects'))
    expect(tags.map(({ name }) => name)).to.deep.equal(['identity', 'service'])
    expect(Object.keys(components.securitySchemes)).to.deep.equal(['SessionCookie', 'BearerAuth'])
    expect(components.schemas).not.to.have.property('PetsIds')
    const withoutKeys = JSON.stringify(await described(without('apiKeys'), ALL_ROUTES))
    expect(withoutKeys).to.include('BearerAuth').and.not.include('ApiKeyAuth')
  })
})
