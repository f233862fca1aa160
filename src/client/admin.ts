import type { KennelClient } from './index.js'
import { KennelError } from './kennel-error.js'
import { pageOf, pagesOf, withQuery, successOf, unreadable } from './reply.js'
import { createSend, type TransportOptions } from './transport.js'

// Entry point `kennel-id/admin`: the client for operators, for a service with `ADMINISTRATION=on`. Times are ISO 8601 strings in UTC, roles
// are role keys, and unknown values are absent.

type Texts<Always extends string, Sometimes extends string = never> = {
  readonly [Name in Always]: string
} & { readonly [Name in Sometimes]?: string }

/** Selects a page of at most `limit` entries (1 to 100, 20 by default) after the position in `cursor`. */
export type AdminQuery = { readonly limit?: number; readonly cursor?: string }

/** Filters for accounts, combined with AND; `email` matches every email that begins with it. */
export type UserQuery = AdminQuery & Texts<never, 'email' | 'role'> & { readonly disabled?: boolean }

/** Filters for audit records, combined with AND; `user` is an email or an account ID. */
export type AuditQuery = AdminQuery & {
  readonly user?: string | number
  readonly event?: string
  readonly since?: Date | string
  readonly until?: Date | string
  readonly order?: 'oldest-first' | 'newest-first'
}

/** Either a password or its hash, in a format that can be imported. Passing a hash also requires the permission `user: import`. */
export type PasswordOrHash = { readonly password: string } | { readonly passwordHash: string }

/** The data of a new account. */
export type NewUser = PasswordOrHash & { readonly email: string; readonly roles?: readonly string[] }

/** An account; a disabled account has `disabledAt`. */
export type AdminUser = Numbered & Texts<'email' | 'createdAt', 'disabledAt'>

/** An account from an earlier release that shares its canonical email with other accounts. */
export type DuplicateUser = AdminUser & Texts<'canonicalEmail'>

type Numbered = { readonly id: number; readonly roles: readonly string[] }

/** An account with its number of active sessions; `more` is true if the account has more sessions than `active`. */
export type AdminUserDetails = AdminUser &
  Texts<never, 'lastLoginAt'> & {
    readonly sessions: { readonly active: number; readonly more: boolean }
    readonly secondFactor: boolean
  }

/** A role that accounts and API keys can have. */
export type AdminRole = Texts<'uuid' | 'key' | 'label'>

/** An active session of an account. */
export type AdminSession = Texts<
  'id' | 'createdAt' | 'refreshedAt' | 'idleEndsAt' | 'endsAt',
  'client' | 'network'
>

/** An invitation that has not been accepted. */
export type Invitation = Texts<'id' | 'email' | 'createdAt' | 'expiresAt'> & Pick<Numbered, 'roles'>

/** The state of an account's second factor; `required` is true if a role of the account needs a second factor. */
export type UserFactor = Texts<never, 'since'> & {
  readonly active: boolean
  readonly recoveryCodesLeft: number
  readonly required: boolean
}

/** A passkey of an account. */
export type UserPasskey = Texts<'id' | 'name' | 'createdAt', 'lastUsedAt'> & {
  /** Whether the device may copy the passkey to other devices. */
  readonly synced: boolean
  readonly backedUp: boolean
  readonly transports: readonly string[]
}

/** An API key; `createdBy` is `cli`, or an account such as `account:7`. */
export type AdminApiKey = Numbered &
  Texts<'name' | 'createdAt', 'createdBy' | 'revokedAt' | 'expiresAt' | 'lastUsedAt'>

/** The data of a new API key. */
export type NewAdminApiKey = {
  readonly name: string
  readonly roles?: readonly string[]
  readonly expiresAt?: Date | string
}

/** Who did what and when; `count` is the number of identical events in one minute. */
export type AdminAuditRecord = Texts<
  'id' | 'at' | 'event' | 'actor',
  'actorEmail' | 'subject' | 'subjectEmail' | 'address' | 'requestId'
> & { readonly outcome: 'success' | 'failure'; readonly count?: number }

/** The caller and the actions that its roles permit, by component. */
export type CallerPermissions = {
  readonly caller: { readonly kind: 'account' | 'api-key'; readonly id: number; readonly email?: string }
  readonly permissions: Readonly<Record<string, readonly string[]>>
}

/** An API key and the service's address, or a logged-in client of `kennel-id/client`. */
export type AdminOptions = KeyOptions | { readonly client: Pick<KennelClient, 'fetch'> }

type KeyOptions = Pick<TransportOptions, 'baseUrl' | 'fetch'> & {
  readonly apiKey: string
  /** Name of the header that carries the API key (`PETS_API_KEY_HEADER`); `X-API-Key` by default. */
  readonly apiKeyHeader?: string
}

/** One page of a list; `next` is the cursor for the next page, and is absent on the last page. */
export type AdminPage<Row> = { readonly rows: readonly Row[]; readonly next?: string }

/** A list is a promise of one page; `for await` iterates over this page and all later pages, each fetched on demand. */
export type AdminList<Row> = Promise<AdminPage<Row>> & AsyncIterable<AdminPage<Row>>

/**
 * The calls available to operators, with the same names as in the library; `id` is an account ID. The roles of the caller must permit each
 * call, and the caller may affect only what its own permissions cover. A failed call rejects with a KennelError from `kennel-id/client`.
 */
export type AdminClient = ReturnType<typeof operationsOver>

type Path = readonly (string | number)[]

function operationsOver(fetch: KennelClient['fetch']) {
  async function request(method: string, path: Path, body?: object): Promise<[Response, unknown]> {
    const sent = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(pathOf(path), { method, ...sent })
    return [response, await successOf(response)]
  }

  async function read<T>(method: string, path: Path, body?: object): Promise<T> {
    const [response, json] = await request(method, path, body)
    if (Object(json) !== json) throw unreadable(response)
    return json as T
  }

  async function change(method: string, path: Path, body?: object): Promise<void> {
    await request(method, path, body)
  }

  function list<Row>(path: Path, query: AdminQuery = {}): AdminList<Row> {
    const page = async (selected: AdminQuery): Promise<AdminPage<Row>> => {
      const response = await fetch(withQuery(pathOf(path), selected))
      const rows = await successOf(response)
      if (!Array.isArray(rows)) throw unreadable(response)
      return { rows, ...pageOf(response) }
    }
    const first = page(query)
    const pages = () => pagesOf((selected) => (selected === query ? first : page(selected)), query)
    return Object.assign(first, { [Symbol.asyncIterator]: pages })
  }

  return {
    /** Returns the caller and its permissions; needs no permission. */
    permissions: () => read<CallerPermissions>('GET', ['permissions']),
    /** Lists accounts ordered by ID; a search is ordered by email. */
    listUsers: (query?: UserQuery) => list<AdminUser>(['users'], query),
    /** Lists the accounts that share an email because an earlier release created them. */
    listDuplicateUsers: () => read<readonly DuplicateUser[]>('GET', ['duplicate-users']),
    /** Creates an account and returns its ID. */
    createUser: async (user: NewUser) => (await read<{ id: number }>('POST', ['users'], user)).id,
    /** Reads one account. */
    getUser: (id: number) => read<AdminUserDetails>('GET', ['users', id]),
    /** Deletes an account permanently, with its memberships and sessions. */
    deleteUser: (id: number) => change('DELETE', ['users', id]),
    /** Sets the password of an account and ends its sessions. */
    setPassword: (id: number, password: PasswordOrHash) => change('PUT', ['users', id, 'password'], password),
    /** Changes the email of an account and ends its sessions. */
    changeUserEmail: (id: number, newEmail: string) => change('PUT', ['users', id, 'email'], { newEmail }),
    /** Disables an account and ends its sessions. */
    disableUser: (id: number) => change('POST', ['users', id, 'disable']),
    /** Lets a disabled account log in again. */
    enableUser: (id: number) => change('POST', ['users', id, 'enable']),
    /** Forgets the failed logins of an account. */
    unlockUser: (id: number) => change('POST', ['users', id, 'unlock']),
    /** Sends the owner of an account an email with a link to set a new password. */
    sendResetMail: (id: number) => change('POST', ['users', id, 'reset-mail']),
    /** Enables an account that is waiting for approval, and informs its owner by email. */
    approveUser: (id: number) => change('POST', ['users', id, 'approve']),
    /** Lists the invitations that have not been accepted, including expired invitations. */
    listInvitations: (query?: AdminQuery) => list<Invitation>(['invitations'], query),
    /** Sends an email that lets its recipient create an account with these roles. */
    inviteUser: (email: string, roles: readonly string[] = []) =>
      read<Invitation>('POST', ['invitations'], { email, roles }),
    /** Sends the email of an invitation again; the earlier link stops working. */
    sendInvitation: (id: string) => change('POST', ['invitations', id, 'mail']),
    /** Invalidates the link of an invitation. */
    revokeInvitation: (id: string) => change('DELETE', ['invitations', id]),
    /** Exports all data of an account for its owner. */
    exportUser: (id: number) => read<Readonly<Record<string, unknown>>>('GET', ['users', id, 'export']),
    /** Assigns a role to an account. */
    assignRole: (id: number, role: string) => change('PUT', ['users', id, 'roles', role]),
    /** Removes a role from an account. */
    removeRole: (id: number, role: string) => change('DELETE', ['users', id, 'roles', role]),
    /** Lists the active sessions of an account, oldest first. */
    listSessions: (id: number, query?: AdminQuery) => list<AdminSession>(['users', id, 'sessions'], query),
    /** Ends every session of the account, and returns the number of ended sessions. */
    revokeSessions: async (id: number) =>
      (await read<{ ended: number }>('DELETE', ['users', id, 'sessions'])).ended,
    /** Ends one session of an account. */
    revokeSession: (id: number, sessionId: string) => change('DELETE', ['users', id, 'sessions', sessionId]),
    /** Reads whether an account has a second factor. */
    readUserFactor: (id: number) => read<UserFactor>('GET', ['users', id, 'second-factor']),
    /** Removes the second factor of a user who has lost it. */
    removeUserFactor: (id: number) => change('DELETE', ['users', id, 'second-factor']),
    /** Lists the passkeys of an account, the oldest first. Passkeys must be enabled in the service. */
    listUserPasskeys: (id: number) => read<readonly UserPasskey[]>('GET', ['users', id, 'passkeys']),
    /** Removes a passkey of a user who has lost the device. */
    removeUserPasskey: (id: number, passkeyId: string) =>
      change('DELETE', ['users', id, 'passkeys', passkeyId]),
    /** Lists the roles. */
    listRoles: (query?: AdminQuery) => list<AdminRole>(['roles'], query),
    /** Creates a role. */
    createRole: (role: { readonly key: string; readonly label: string }) =>
      read<AdminRole>('POST', ['roles'], role),
    /** Deletes a role that is not assigned to any account or valid API key. */
    deleteRole: (key: string) => change('DELETE', ['roles', key]),
    /** Lists the API keys, including revoked and expired keys. */
    listApiKeys: (query?: AdminQuery) => list<AdminApiKey>(['api-keys'], query),
    /** Creates an API key, which the service shows only once. */
    createApiKey: (key: NewAdminApiKey) =>
      read<{ readonly id: number; readonly key: string }>('POST', ['api-keys'], key),
    /** Revokes an API key. */
    revokeApiKey: (keyId: number) => change('DELETE', ['api-keys', keyId]),
    /** Lists who did what and when. */
    listAudit: (query?: AuditQuery) => list<AdminAuditRecord>(['audit'], query),
  }
}

/**
 * Creates the client for operators. Throws a TypeError without an API key or with a malformed `baseUrl`.
 *
 * @example
 * ```ts
 * import { createAdminClient } from 'kennel-id/admin'
 *
 * const admin = createAdminClient({ baseUrl: 'https://kennel.example', apiKey: process.env.API_KEY ?? '' })
 * const id = await admin.createUser({ email: 'ada@example.com', password: 'a long walk in the park' })
 * await admin.assignRole(id, 'editor')
 * for await (const { rows } of admin.listUsers({ role: 'editor' })) console.log(rows.length)
 * ```
 */
export function createAdminClient(options: AdminOptions): AdminClient {
  return operationsOver('client' in options ? options.client.fetch : fetchWithKey(options))
}

/** Rejects segments that a URL parser would remove, because the shorter path would call another operation. */
function pathOf(path: Path): string {
  if (path.some((segment) => /^\.{0,2}$/.test(String(segment)))) throw new KennelError('NotValid')
  return `/api/admin/${path.map(encodeURIComponent).join('/')}`
}

function fetchWithKey({ apiKey, apiKeyHeader = 'X-API-Key', ...options }: KeyOptions): KennelClient['fetch'] {
  if (!apiKey) throw new TypeError('createAdminClient: apiKey is missing')
  const send = createSend({ ...options, stateless: true })
  return (path, init = {}) => send(path, init, { [apiKeyHeader]: apiKey })
}
