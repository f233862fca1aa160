import type { Store } from '../../../src/ports/store.js'
import { bindServer } from '../../../src/adapters/koa/index.js'
import type { HttpSettings } from '../../../src/http/parts.js'
import { httpPermissions } from '../../../src/composition-root/http-settings.js'
import { meteredStore } from '../../../src/composition-root/open-parts.js'
import type { Log } from '../../../src/ports/log.js'
import { createClient, type Client } from './client.js'
import { RP_ID } from '../passkey-authenticator.js'
import { openAnyStore } from '../stores.js'
import { createSecretHunt } from '../../http/secret-hunt.js'
import { composeUseCases, PASSPHRASE, PASSWORD, type Composed, type UseCaseOptions } from '../use-cases.js'
import { httpSettings } from './settings.js'
import { listenerOf } from './host.js'
import { replyCheckOf } from './service-check.js'

export { PASSPHRASE, PASSWORD, START, STATELESS, TOKEN_USE } from '../use-cases.js'

/** `log` receives every line, which is also searched for secrets; `metrics` receives the same calls as the service's own metrics. */
export type TestOptions = Omit<UseCaseOptions, 'publicUrl'> & {
  /** Wraps the service's store, for example to count, delay or replace calls. */
  readonly aroundStore?: (store: Store) => Store
  readonly settings?: Partial<HttpSettings>
  readonly requestTimeout?: number
  readonly probeTimeout?: number
  /** Whether the origin is `http://localhost`, on which browsers have passkeys, instead of an address. */
  readonly localhost?: boolean
}

export type TestService = Pick<Composed, 'useCases' | 'mails' | 'store' | 'clock' | 'account' | 'apiKey'> & {
  readonly origin: string
  readonly client: Client
  readonly secrets: { passphrase: string }
  readonly log: Log
  /** Stops serving, and closes the store unless the store was passed in. */
  close(): Promise<void>
}

/**
 * The real service on a real socket, with a stopped clock and cheap password hashes. `close` rejects if the log,
 * metrics, audit records or failure replies contain a secret.
 */
export async function startService(given: TestOptions = {}): Promise<TestService> {
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
  const settings = testSettings(publicUrl, {
    mode,
    credentials,
    permissions,
    settings: {
      petsSecurity: options.petSecurity ?? 'any',
      limitsAttempts: options.loginLimit !== undefined,
      rememberLogin: options.rememberLogin ?? false,
      ...(options.passkeys && { passkeyDomain: { rpId: passkeys?.id ?? RP_ID, relatedOrigins: [] } }),
      ...options.settings,
    },
  })
  const readiness = () => store.ready()
  const listener = listenerOf({
    useCases,
    settings,
    readiness,
    log,
    metrics,
    // Shorter than the server's own timeout, so that the listener, which sets the headers, sends the 408.
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
    apiKey: async (roles = []) => {
      const key = await composed.apiKey(roles)
      secrets.remember('API key', key)
      return key
    },
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

type Chosen = Pick<Composed, 'mode' | 'credentials' | 'permissions'> & { settings: Partial<HttpSettings> }

function testSettings(publicUrl: string, { mode, credentials, permissions, settings }: Chosen): HttpSettings {
  return httpSettings({
    publicUrl,
    stateless: mode !== 'stateful',
    publicKeys: credentials.publicKeys,
    grantedTo: httpPermissions(permissions),
    docs: true,
    ...settings,
  })
}
