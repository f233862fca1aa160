import type { Authorize } from '../../src/application/access/authorize.js'
import type { Authenticate } from '../../src/application/identity/authenticate.js'
import type { Presented } from '../../src/application/identity/presented.js'
import { createTokenSigner } from '../../src/application/identity/token-signer.js'
import type { PartsCreatedBy, Rows } from '../../src/application/table.js'
import { MAIL_TABLE, USE_CASE_TABLES, type UseCases } from '../../src/application/wiring.js'
import { wrapPort, wrapStore, type PortFunction } from '../../src/application/wrap-port.js'
import { portsOf } from '../../src/composition-root/infrastructure.js'
import type { Caller } from '../../src/domain/access/caller.js'
import type { ActionRule, PermissionRules } from '../../src/domain/access/permission-rules.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import type { PasswordVerification, VerificationCache } from '../../src/ports/passwords.js'
import type { Store } from '../../src/ports/store.js'
import { DOORS } from '../model/factors-and-step-up.js'
import type { Rules } from '../model/world.js'
import { compiledPermissions, SELF_SERVICE } from '../support/permissions.js'
import { format, madeUp } from './made-up.js'
import type { Schedule } from './schedule.js'
import type { ThemeName } from './themes.js'

type RoleRules = PermissionRules['roles'][string]
const { everyone, user, admin } = SELF_SERVICE.roles
const adding = ({ components = {} }: RoleRules = {}, ...actions: string[]) => ({
  components: { ...components, auth: [...(components['auth'] ?? []), ...actions] },
})
/** Permits a role's actions on the component `vault`, some of which require a recent proof. */
const opening = (role: string, { components }: RoleRules = {}): RoleRules => ({
  components: {
    ...components,
    vault: Object.entries(DOORS).flatMap(([door, { [role]: condition }]): readonly ActionRule[] => {
      if (condition === undefined) return []
      return Object.keys(condition).length > 0 ? [{ [door]: condition }] : [door]
    }),
  },
})
const VAULT = { vault: Object.keys(DOORS) } as Readonly<Record<'vault', readonly string[]>>
const permissions = compiledPermissions(
  {
    roles: {
      ...SELF_SERVICE.roles,
      everyone: adding(everyone, 'sign-up', 'login-by-mail'),
      user: opening('user', adding(user, 'change-email', 'passkey')),
      ...{ admin: opening('admin', admin), editor: opening('editor') },
    },
  },
  VAULT,
)

type Entry = { readonly presented: Presented; readonly caller?: Caller; readonly door: string }

/** The use cases of an instance, and the parts that send emails. */
export type Cases = UseCases &
  PartsCreatedBy<typeof MAIL_TABLE> & { readonly enterVault: (entry: Entry) => Promise<unknown> }

/** The parts of an instance, keyed by their names in the tables. */
export type Parts = Readonly<Record<string, unknown>>

/** A planted bug: changes individual calls of the store's ports, or an instance. */
export type Bug = {
  readonly store?: (store: Store) => Store
  readonly parts?: (parts: Parts) => Parts
  readonly rows?: Rows
  /** The only theme in which the simulator searches for the bug; by default, all themes. */
  readonly theme?: ThemeName
}

type Dependencies = {
  readonly schedule: Schedule
  readonly store: Store
  readonly rules: Rules
  readonly bug: Bug
}

const ENTER_VAULT: Rows[string] = {
  factory: ({
    authenticate,
    authorize,
  }: {
    authenticate: Authenticate
    authorize: Authorize<typeof VAULT>
  }) => {
    const enterVault: Cases['enterVault'] = async ({ presented, caller, door }) =>
      authorize(caller ?? (await authenticate(presented)), 'vault', door)
    return enterVault
  },
  parts: ['authenticate', 'authorize'],
}

/** The tables from which an instance creates its parts. */
export const ROWS: Rows = { ...USE_CASE_TABLES.stateful.rows, ...MAIL_TABLE.rows, enterVault: ENTER_VAULT }

/** Remembers matches. Concurrent operations never share a verification, so each port call belongs to exactly one operation. */
function createVerifications(): VerificationCache {
  const matches = new Map<string, PasswordHash>()
  const keyOf = ({ password, name }: PasswordVerification) => JSON.stringify([password, name])
  return {
    matched: (verification) => matches.get(keyOf(verification)),
    share: async (verification, compute) => {
      const result = await compute()
      if (result.hash !== undefined) matches.set(keyOf(verification), result.hash)
      return result
    },
  }
}

/** Instances share this object. */
const COMMON = {
  ...{ permissions, petSecurity: 'any', minPasswordLength: 1, operator: 'operator', noticeTopics: [] },
  ...{ resetUrl: 'https://app/reset', confirmUrl: 'https://app/confirm' },
  // Turns off the limits on emails, because histories exceed them and the model does not include them.
  limitMailRequests: async (_: object, queue: () => Promise<void>) => {
    await queue()
  },
  templates: { render: (_: string, { link = '' }) => ({ subject: '', text: link, html: '' }) },
}

/** One process that runs the service. */
export function createInstance(index: number, { schedule, store, rules, bug }: Dependencies): Cases {
  const { draw, wait } = schedule
  const queued =
    (call: PortFunction, name: string, port: string): PortFunction =>
    (...args) =>
      wait(`${port}.${name}`, () => call(...args))
  const ports = portsOf(wrapStore(store, queued))
  const made = madeUp(draw)
  const hashing = wrapPort(made.hasher, (call, name) => queued(call, name, 'hasher'), ['hash', 'verify'])
  const hasher = { ...made.hasher, ...hashing }
  const parts = {
    ...{ ...COMMON, ...settingsOf(rules), ...ports, ...made, hasher },
    auditSinks: [ports.auditLog],
    clock: () => schedule.timeOf(index),
    verifyBasic: async (password: never, find: () => Promise<never>) =>
      await hasher.verify(password, await find()),
    verifications: createVerifications(),
  }
  return wired({ ...ROWS, ...bug.rows }, bug.parts?.(parts) ?? parts) as unknown as Cases
}

/** Service settings that match the rules of the model. */
function settingsOf({ accessToken, refreshToken, session, grace, loginLimit, ...rules }: Rules) {
  const lifetimes = { accessToken, refreshToken, session, refreshGrace: grace }
  return {
    lifetimes,
    tokens: createTokenSigner({ format, issuer: 'sim', lifetimes, stateless: false }),
    sessionLimit: rules.sessionLimit,
    resetTokenTtl: rules.resetToken,
    impersonationTtl: rules.impersonation,
    loginLimit: loginLimit === undefined ? undefined : { count: loginLimit, window: 900_000 },
    signUp: { mode: rules.isApprovalNeeded ? 'approval' : 'on', domains: [] },
    factorRoles: rules.isFactorNeeded ? new Set(['admin']) : undefined,
  }
}

/** Each part is created when another part or a client first reads it. */
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
