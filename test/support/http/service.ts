import type { Store } from '../../../src/ports/store.js'
import { bindServer, createHttpService } from '../../../src/adapters/koa/index.js'
import type { HttpSettings } from '../../../src/http/parts.js'
import { httpPermissions } from '../../../src/composition-root/http-settings.js'
import { meteredStore } from '../../../src/composition-root/open-parts.js'
import { createClient } from './client.js'
import { RP_ID } from '../passkey-authenticator.js'
import { openAnyStore } from '../stores.js'
import { createSecretHunt } from '../../http/secret-hunt.js'
import { composeUseCases, PASSPHRASE, PASSWORD, STATELESS, type UseCaseOptions } from '../use-cases.js'
import { httpSettings } from './settings.js'
import type { RequestListener } from 'node:http'
import type { HttpServiceParts } from '../../../src/adapters/koa/http-service.js'
import { createListener } from '../../../src/adapters/node/index.js'
import { createHandler } from '../../../src/adapters/web/index.js'
import { replyCheckBy, withoutPort, type ReplyCheck } from './reply-check.js'

export { PASSPHRASE, PASSWORD, START, STATELESS, TOKEN_USE } from '../use-cases.js'

/** `log` receives every line, which is also searched for secrets; `metrics` receives the same calls as the service's own metrics. */
export type TestOptions = Omit<UseCaseOptions, 'publicUrl'> & {
  /** Wraps the service's store, for example to count, delay or replace calls. */
  readonly aroundStore?: (store: Store) => Store
  readonly settings?: Partial<HttpSettings>
  readonly requestTimeout?: number
  readonly probeTimeout?: number
  /** Whether the origin is `http://localhost`, where browsers permit passkeys, instead of an IP address. */
  readonly localhost?: boolean
}

export type TestService = Awaited<ReturnType<typeof startService>>

/**
 * The real service on a real socket, with a stopped clock and cheap password hashes. `close` rejects if the log,
 * metrics, audit records or failure replies contain a secret.
 */
export async function startService(given: TestOptions = {}) {
  const hunt = createSecretHunt()
  const { secrets } = hunt
  const { metrics = hunt.metrics } = given
  const options = { ...given, metrics, log: hunt.log(given.log) }
  const { log, requestTimeout = 30_000 } = options
  const server = await bindServer('127.0.0.1', 0, { requestTimeout, observers: { log, metrics } })
  const origin = `http://${options.localhost ? 'localhost' : '127.0.0.1'}:${String(server.port)}`
  const kept = options.store ?? (await openAnyStore())
  const store = meteredStore(options.store ? kept : (options.aroundStore ?? itself)(kept), metrics)
  const publicUrl = options.settings?.publicUrl ?? origin
  const passkeys = options.passkeys && options.localhost ? { id: 'localhost', origins: [origin] } : undefined
  const { mode, credentials, permissions, ...composed } = await composeUseCases({
    ...{ ...options, ...(passkeys && { passkeys }) },
    store,
    publicUrl,
    onSecret: (kind, secret) => {
      secrets.remember(kind, secret)
      options.onSecret?.(kind, secret)
    },
  })
  const { useCases, mails, clock, account } = composed
  const settings = httpSettings({
    publicUrl,
    stateless: mode !== 'stateful',
    publicKeys: credentials.publicKeys,
    grantedTo: httpPermissions(permissions),
    docs: true,
    petsSecurity: options.petSecurity ?? 'any',
    limitsAttempts: options.loginLimit !== undefined,
    rememberLogin: options.rememberLogin ?? false,
    ...(options.passkeys && { passkeyDomain: { rpId: passkeys?.id ?? RP_ID, relatedOrigins: [] } }),
    ...options.settings,
  })
  const readiness = () => store.ready()
  const listener = listenerOf({
    useCases,
    settings,
    readiness,
    log,
    metrics,
    // Shorter than the server's own timeout, so that the listener sends the 408. Only the listener sets the headers.
    bodyTimeout: requestTimeout / 2,
    ...(options.probeTimeout !== undefined && { probeTimeout: options.probeTimeout }),
  })
  server.serve(listener)
  const check = await replyCheckOf({ useCases, settings, readiness })
  const client = createClient(origin, () => check, hunt)
  const { current: passphrase, previous } = options.passphrases ?? { current: PASSPHRASE, previous: [] }
  for (const one of [passphrase, ...previous]) secrets.remember('passphrase', one)
  secrets.remember('password', PASSWORD)
  return {
    origin,
    client,
    store,
    useCases,
    mails,
    clock,
    secrets: { passphrase },
    log,
    account,
    apiKey: async (roles: readonly string[] = []) => {
      const key = await composed.apiKey(roles)
      secrets.remember('API key', key)
      return key
    },
    /** Stops serving, and closes the store unless the store was passed in. */
    close: async () => {
      client.close()
      await server.drain(1000)
      try {
        await hunt.end(kept.audit)
      } finally {
        if (!options.store) await store.close()
      }
    },
  }
}

const itself = (store: Store) => store

/** How long the web host waits for a body, in milliseconds. */
type HostParts = HttpServiceParts & { readonly bodyTimeout: number }

/** Returns the listener of the host that serves the HTTP interface in this run. */
function listenerOf(parts: HostParts): RequestListener {
  if (process.env['TEST_HOST'] === 'web') return webListener(parts)
  const answer = createHttpService(parts).callback()
  return (request, response) => void answer(request, response)
}

export function webListener({ useCases, settings, readiness, ...options }: HostParts): RequestListener {
  const kennel = { ...useCases, httpSettings: settings, closed: false, ready: readiness }
  return createListener(createHandler(kennel, options))
}

type DescribedParts = Pick<HostParts, 'useCases' | 'settings' | 'readiness'>

const known = new Map<string, Promise<ReplyCheck>>()

/**
 * Checks the replies of a service. Services with the same settings share one check, because creating a description
 * takes longer than the rest of the start.
 */
function replyCheckOf(parts: DescribedParts): Promise<ReplyCheck> {
  const key = descriptionKey(parts)
  const check = known.get(key) ?? requestDescription(parts).then(replyCheckBy)
  known.set(key, check)
  return check
}

/**
 * Returns the same key for services with the same description. Ports and public keys may differ, because only examples contain them.
 */
function descriptionKey({ useCases, settings }: Pick<DescribedParts, 'useCases' | 'settings'>): string {
  const publicUrl = withoutPort(settings.publicUrl)
  const publicKeys = settings.publicKeys.length
  return JSON.stringify([Object.keys(useCases).sort(), { ...settings, publicUrl, publicKeys }])
}

/** Needs no socket, and does not appear in the log or the metrics of the test. */
async function requestDescription({ useCases, settings, readiness }: DescribedParts): Promise<string> {
  const kennel = { ...useCases, httpSettings: settings, closed: false, ready: readiness }
  const reply = await createHandler(kennel)(new Request(`${settings.publicUrl}/openapi.json`))
  if (reply.status !== 200) throw new Error(`the description got ${String(reply.status)}`)
  return await reply.text()
}

/**
 * Starts services for single tests and closes them after each test, even if the test fails; a store that was passed in stays open. Call
 * it in a `describe`.
 */
export function servicesOfTests(): (options?: TestOptions) => Promise<TestService> {
  const started: TestService[] = []
  afterEach(async () => {
    for (const service of started.splice(0)) await service.close()
  })
  return async (options) => {
    const service = await startService(options)
    started.push(service)
    return service
  }
}

/** One service for all tests of a `describe`; its members are available as soon as a `before` hook or a test runs. */
export function sharedService(options?: TestOptions): TestService {
  const service = {} as TestService
  before(async () => Object.assign(service, await startService(options)))
  after(() => service.close())
  return service
}

/** Defines a test that needs stored sessions; stateless runs omit the test. */
export function itWithSessions(title: string, body: () => Promise<void>): void {
  if (!STATELESS) it(title, body)
}
