/** An embedder's program that uses every entry of the package, with all options. */
export const CONSUMER = `
import { lstat } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import {
  ANONYMOUS, DEFAULT_PERMISSIONS, isRefusal, openKennel, OPERATOR, petId, REFUSAL_CODES, replyOf, statusOf,
  type AuditRecord, type Authorized, type Issued, type Kennel, type KennelOptions, type Presented, type CredentialSource, type PageRequest, type RefusalReply,
} from 'kennel-id'
import { compilePermissions, createAuthorize, createTokenSigner, operations, type UseCase } from 'kennel-id/use-cases'
import { createAccessTokenVerifier, VerificationError, type VerifiedAccess } from 'kennel-id/verify'
import { createCookieJar, createKennelClient, KennelError, type KennelClient } from 'kennel-id/client'
import { createAccount, type AccountClient } from 'kennel-id/account'
import { createAdminClient, type AdminClient } from 'kennel-id/admin'
import { createPasswordBlocklist } from 'kennel-id/blocklist'
import { hasherLaws, lawsOf, copyableRecordLaws, storeLaws, type Law } from 'kennel-id/contracts'
import { createJoseFormat } from 'kennel-id/jose'
import { createKeyRing, createSessionKeys, passphraseError } from 'kennel-id/keyring'
import { bindServer, createHttpService } from 'kennel-id/koa'
import { createMemoryStore } from 'kennel-id/memory'
import { openMongo, type MongoOptions } from 'kennel-id/mongodb'
import { openPostgres, type PostgresOptions, type PostgresStore } from 'kennel-id/postgresql'
import { createSmtpMailer } from 'kennel-id/nodemailer'
import { createPasetoFormat } from 'kennel-id/paseto'
import { createLog } from 'kennel-id/pino'
import { createPrometheusMetrics, type Exposition } from 'kennel-id/prometheus'
import { RECORD_KINDS, type Mailer, type PasswordHasher, type Store } from 'kennel-id/ports'
import { createOneTimeCodes } from 'kennel-id/otpauth'
import { createScryptHasher, hashCostError } from 'kennel-id/scrypt'
import { openSqlite, type SqliteOptions } from 'kennel-id/sqlite'
import { systemClock, systemDigest, systemRandomness } from 'kennel-id/system'
import { createHandler, type Handler } from 'kennel-id/web'
import { createPasskeyVerifier } from 'kennel-id/webauthn'
import { createListener, type NodeListener } from 'kennel-id/node'
import { createPages, type PageReply } from 'kennel-id/pages'

const passphrase: string = 'Kennel1-not-a-real-passphrase'

export async function withEverything(store: Store, hasher: PasswordHasher, mailer: Mailer): Promise<string> {
  const records: AuditRecord[] = []
  const options: KennelOptions = {
    store, passphrase, publicUrl: 'https://kennel.example', accessTokenTtl: '10m', background: false,
    parts: { hasher, mailer, clock: systemClock, auditSinks: [{ append: async (record) => void records.push(record) }] },
  }
  const kennel: Kennel = await openKennel(options)
  try {
    const account = await kennel.createUser({ caller: OPERATOR, email: 'ada@example.com', password: 'a good one' })
    const presented: Presented = { client: { address: '127.0.0.1' } }
    const issued: Issued = await kennel.login({ email: 'ada@example.com', password: 'a good one', presented })
    const identity = await kennel.getIdentity({ accessToken: issued.accessToken, sessionKey: issued.sessionKey })
    const email: string = identity.email
    const number: number = account
    const header = issued.sessionKey && kennel.sessionCookie.set(issued.sessionKey)
    const service = createHttpService({
      useCases: kennel, settings: kennel.httpSettings, readiness: () => kennel.ready(),
      log: createLog({ level: 'silent', pretty: false }),
    })
    const handler: Handler = createHandler(kennel)
    const listener: NodeListener = createListener(handler)
    createServer(listener).close()
    const page: PageReply | undefined = await createPages(kennel, { api: '/kennel' })('/login', 'gzip')
    if (page) new Response(page.body, page)
    await handler(new Request('https://kennel.example/health/live'))
    const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
    server.serve(service.callback())
    await server.drain(1000)
    return [email, number, header].join()
  } catch (error) {
    if (!isRefusal(error)) throw error
    return REFUSAL_CODES.includes(error.code) ? error.messages.map((one) => one.message).join() : error.code
  } finally {
    await kennel.close()
  }
}

export async function withComponents(options: KennelOptions): Promise<Kennel> {
  const components = { invoices: ['list', 'pay'] } as const
  const kennel = await openKennel({ ...options, components })
  const proof: Authorized<'invoices', 'pay'> = kennel.authorize(OPERATOR, 'invoices', 'pay')
  const compiled = compilePermissions({ roles: { cli: { components: { [proof.component]: ['*'] } } } }, components)
  if (compiled.ok) createAuthorize(compiled.permissions)(OPERATOR, 'invoices', 'list')
  const { httpSettings: settings, ready: readiness } = kennel
  createHttpService({ useCases: kennel, settings, readiness, log: createLog({ level: 'silent', pretty: false }) })
  return kennel
}

export async function ownRoutes(kennel: Kennel, incoming: IncomingMessage, request: Request): Promise<Response> {
  const sources: CredentialSource[] = [incoming, incoming.headers, request, request.headers, { headers: incoming.headers }]
  const pages: PageRequest[] = [incoming, request, { cookie: incoming.headers.cookie }, { cookie: request.headers.get('cookie') }]
  try {
    const identities = await Promise.all([
      ...sources.map((source) => kennel.identify(source, { address: incoming.socket.remoteAddress })),
      ...pages.map((page) => kennel.identifyPage(page)),
    ])
    return Response.json(identities.map(({ email }) => email))
  } catch (error) {
    const reply: RefusalReply = replyOf(error)
    return Response.json(reply.body, { ...reply, status: statusOf(error) })
  }
}

export async function theLongWay(hasher: PasswordHasher): Promise<{ login: UseCase<'login'>; refresh: UseCase<'refresh'> }> {
  const store = createMemoryStore()
  const clock = systemClock
  const randomness = systemRandomness
  const minute = 60_000
  const lifetimes = { accessToken: 15 * minute, refreshToken: 120 * minute, session: 480 * minute, refreshGrace: 10_000 }
  const ring = await createKeyRing({ current: passphrase, previous: [] }, 'EdDSA')
  const format = await createJoseFormat({
    algorithm: 'EdDSA',
    keys: ring.all.map(({ kid, tokenSecret }) => ({ kid, secret: tokenSecret })),
    currentKid: ring.current.kid,
  })
  const tokens = createTokenSigner({ format, issuer: 'https://kennel.example', lifetimes, stateless: false })
  const compiled = compilePermissions(DEFAULT_PERMISSIONS)
  if (!compiled.ok) throw new Error(compiled.errors.map(({ path }) => path).join())
  const authorize = createAuthorize(compiled.permissions)
  const timeOrderedIds = operations.timeOrderedIds.factory({ randomness })
  const audit = operations.audit.factory({
    sinks: [store.audit], operator: 'host', timeOrderedIds, digest: systemDigest, clock,
  })
  const sessionKeys = createSessionKeys(ring)
  const { accounts, sessions, attempts } = store
  const checkAccessToken = operations.checkAccessToken.factory({ tokens, clock })
  const issue = operations.issue.factory({ tokens, lifetimes })
  const nextGeneration = operations.nextGeneration.factory({ tokens, lifetimes, randomness })
  const openSession = operations.openSession.factory({ sessions, sessionKeys, nextGeneration, lifetimes, randomness, clock })
  const startLogin = operations.startLogin.factory({ sessions, sessionKeys, openSession, issue, audit, clock })
  const throttle = operations.throttle.factory({
    attempts, loginLimit: { count: 10, window: 15 * minute }, digest: systemDigest, clock,
  })
  const refuseLapsed = operations.refuseLapsed.factory({ permissions: compiled.permissions, sessions, audit })
  const authenticate = operations.authenticate.factory({ checkAccessToken, sessions, sessionKeys, refuseLapsed, audit, clock })
  const identity = await operations.getIdentity.factory({ checkAccessToken, authenticate, authorize })({ accessToken: 'a text of a client' })
  if (identity.kind !== 'account') authorize(ANONYMOUS, 'auth', 'login')
  await operations.listPets.factory({ pets: store.pets, authorize })({ caller: identity })
  return {
    login: operations.login.factory({ checkAccessToken, authorize, accounts, hasher, startLogin, throttle, audit, clock }),
    refresh: operations.refresh.factory({
      checkAccessToken, authorize, tokens, sessions, sessionKeys, nextGeneration, issue, refuseLapsed, lifetimes, attempts, audit, clock,
    }),
  }
}

export async function theOtherEntries(): Promise<unknown[]> {
  const hasher = createScryptHasher({ cost: { logN: 15, r: 8, p: 1 }, concurrency: 2 })
  const sqlite: SqliteOptions = { busyTimeout: 20 }
  const mongo: MongoOptions = { poolSize: 10 }
  const postgres: PostgresOptions = { schema: 'kennel' }
  const shared: PostgresStore = await openPostgres('postgresql://127.0.0.1/app', postgres)
  const stores: Store[] = [await openSqlite('kennel.db', sqlite), await openMongo('mongodb://127.0.0.1/kennel', mongo), shared]
  const laws: readonly Law[] = [...storeLaws, ...copyableRecordLaws, ...lawsOf('sessions')]
  for (const law of laws) await law.check(createMemoryStore())
  for (const law of hasherLaws) await law.check(hasher)
  const client: KennelClient = createKennelClient({ baseUrl: 'https://kennel.example', cookieJar: createCookieJar() })
  const { pets } = client
  const account: AccountClient = createAccount(client)
  const admin: AdminClient = createAdminClient({ client })
  const ended: number = (await account.endOtherSessions()) + (await admin.revokeSessions(7))
  const { exposition }: { exposition: Exposition } = createPrometheusMetrics()
  const verify = createAccessTokenVerifier({ issuer: 'https://kennel.example' })
  const access: VerifiedAccess | undefined = await verify('…').catch((error: unknown) => {
    if (error instanceof VerificationError && error.code === 'invalid-token') return undefined
    throw error
  })
  const failed = await client.getIdentity().catch((error: unknown) => error instanceof KennelError && error.status)
  const id = petId('1')
  return [
    stores, hasher, access?.accountId, failed, ended, pets, id, RECORD_KINDS, hashCostError({ logN: 1, r: 8, p: 1 }), lstat,
    passphraseError(passphrase, { production: true }), exposition, createSmtpMailer, createPasetoFormat, createPasskeyVerifier, createPasswordBlocklist,
    createOneTimeCodes,
  ]
}
`
