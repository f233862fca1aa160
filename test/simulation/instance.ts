import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { createTokenSigner } from '../../src/application/identity/token-signer.js'
import type { MadeBy, Rows } from '../../src/application/table.js'
import { MAIL_TABLE, USE_CASE_TABLES, type UseCases } from '../../src/application/wiring.js'
import { wrapPort, wrapStore, type PortFunction } from '../../src/application/wrap-port.js'
import { portsOf } from '../../src/composition-root/infrastructure.js'
import { compilePermissions } from '../../src/domain/access/permissions.js'
import type { TimeOrderedIds } from '../../src/domain/time-ordered-ids.js'
import type { VerificationCache } from '../../src/ports/password-hasher.js'
import type { Store } from '../../src/ports/store.js'
import type { Rules } from '../model/world.js'
import { format, madeUp, type Draw } from './made-up.js'

const compiled = compilePermissions({
  roles: {
    everyone: {
      components: { auth: ['login', 'get-identity', 'refresh', 'logout', 'reset-password'], user: ['find'] },
    },
    user: {
      components: {
        auth: ['change-password', 'list-sessions', 'end-sessions', 'second-factor', 'delete-account'],
        pets: ['*'],
      },
    },
    admin: { components: { auth: ['login-as', 'logout-as'] } },
    cli: { components: { 'user-task': ['*'], user: ['*'], role: ['*'], session: ['*'], apikey: ['*'] } },
  },
})
if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
const { permissions } = compiled

/** The settings of an instance that follows the rules of the model. */
function settingsOf({ accessToken, refreshToken, session, grace, loginLimit, ...rules }: Rules) {
  return {
    lifetimes: { accessToken, refreshToken, session, refreshGrace: grace },
    sessionLimit: rules.sessionLimit,
    resetTokenTtl: rules.resetToken,
    impersonationTtl: rules.impersonation,
    loginLimit: loginLimit === undefined ? undefined : { count: loginLimit, window: 900_000 },
    factorRoles: rules.isFactorNeeded ? new Set(['admin']) : undefined,
  }
}

/** The use cases of an instance, and the parts that send mails. */
export type Cases = UseCases & MadeBy<typeof MAIL_TABLE> & { readonly timeOrderedIds: TimeOrderedIds }

/** The parts of an instance, by their names in the tables. */
export type Parts = Readonly<Record<string, unknown>>

/** The changes of a planted bug in an instance. */
export type Mutation = { readonly parts?: (parts: Parts) => Parts; readonly rows?: Rows }

export type InstanceParts = {
  readonly store: Store
  readonly clock: () => number
  readonly draw: Draw
  readonly rules: Rules
  /** Lets a call of a port wait for its turn. */
  readonly wait: (name: string, call: () => unknown) => Promise<unknown>
  readonly mutation: Mutation
}

/** The ports of an instance. They are made once and used by many histories, one after the other. */
type Relay = {
  /** The parts of the present history. */
  at: Pick<InstanceParts, 'store' | 'wait' | 'draw'>
  readonly ports: Parts
  readonly sinks: readonly unknown[]
}

function createRelay(): Relay {
  const relay = {} as { at: Relay['at'] }
  const store = wrapStore(createMemoryStore(), (_, name, port) => {
    const label = `${port}.${name}`
    return (...args) => {
      const { wait, store } = relay.at
      return wait(label, () => (store[port] as unknown as Record<string, PortFunction>)[name]?.(...args))
    }
  })
  const made = madeUp(() => relay.at.draw())
  const waiting = wrapPort(
    made.hasher,
    (call, name) =>
      (...args) =>
        relay.at.wait(`hasher.${name}`, () => call(...args)),
    ['hash', 'verify'],
  )
  const hasher = { ...made.hasher, ...waiting }
  const ports = { ...portsOf(store), ...made, hasher, basicHasher: hasher }
  return Object.assign(relay, { ports, sinks: [store.audit] })
}

const RELAYS = [createRelay(), createRelay(), createRelay()]

/** One process of the service. Its use cases are made when they are first read. */
export function createInstance(index: number, { clock, rules, mutation, ...at }: InstanceParts): Cases {
  const settings = settingsOf(rules)
  const relay = RELAYS[index] as Relay
  relay.at = at
  const parts: Parts = {
    ...relay.ports,
    ...settings,
    ...{ clock, permissions, auditSinks: relay.sinks },
    tokens: createTokenSigner({ format, issuer: 'sim', lifetimes: settings.lifetimes, stateless: false }),
    noticeTopics: [],
    operator: 'operator',
    minPasswordLength: 1,
    petSecurity: 'any',
    templates,
    resetUrl: 'https://app/reset',
  }
  return wired({ ...ROWS, ...mutation.rows }, mutation.parts?.(parts) ?? parts) as unknown as Cases
}

const templates = { render: (_: string, { link = '' }) => ({ subject: '', text: link, html: '' }) }

/** Remembers successes. Operations share no computation, so that each call of a port belongs to one operation. */
function createVerifications(): VerificationCache {
  const known = new Set<string>()
  return async ({ password, hash }, compute) => {
    const pair = JSON.stringify([password, hash])
    const isRight = known.has(pair) || (await compute())
    if (isRight) known.add(pair)
    return isRight
  }
}

const ROWS: Rows = {
  ...USE_CASE_TABLES.stateful.rows,
  ...MAIL_TABLE.rows,
  verifications: { factory: createVerifications, parts: [] },
}

/** Makes each part when another part or a client first reads it. */
function wired(rows: Rows, parts: Parts): Parts {
  const made: Record<string, unknown> = { ...parts }
  const read = (name: string): unknown => {
    const row = rows[name]
    if (row && !(name in made)) {
      const { parts: names, renamed = {} } = row
      const given: Record<string, unknown> = {}
      for (const part of names) given[part] = read(part)
      for (const [part, source] of Object.entries(renamed)) given[part] = read(source)
      made[name] = row.factory(given as never)
    }
    return made[name]
  }
  return new Proxy(made, { get: (_, name) => read(name as string) })
}
