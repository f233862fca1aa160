import type * as data from './admin-types.js'
import type { KennelClient } from './index.js'
import { KennelError } from './kennel-error.js'
import { pageOf, pagesOf, withQuery } from './pages.js'
import { successOf, unreadable } from './reply.js'
import { createSend, type TransportOptions } from './transport.js'

/** Entry point `kennel-id/admin`: the client for operators, for a service with `ADMINISTRATION=on`. */
export type {
  AdminApiKey,
  AdminAuditRecord,
  AdminQuery,
  AdminRole,
  AdminSession,
  AdminUser,
  AdminUserDetails,
  AuditQuery,
  CallerPermissions,
  DuplicateUser,
  NewAdminApiKey,
  NewUser,
  Invitation,
  PasswordOrHash,
  UserFactor,
  UserPasskey,
  UserQuery,
} from './admin-types.js'

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
 * call, and the caller may affect only what its own permissions cover. A failed call rejects with the KennelError of `kennel-id/client`.
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

  function list<Row>(path: Path, query: data.AdminQuery = {}): AdminList<Row> {
    const page = async (selected: data.AdminQuery): Promise<AdminPage<Row>> => {
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
    permissions: () => read<data.CallerPermissions>('GET', ['permissions']),
    /** Lists accounts ordered by ID; a search is ordered by email. */
    listUsers: (query?: data.UserQuery) => list<data.AdminUser>(['users'], query),
    /** Lists the accounts from an earlier release that share an email. */
    listDuplicateUsers: () => read<readonly data.DuplicateUser[]>('GET', ['duplicate-users']),
    /** Creates an account and returns its ID. */
    createUser: async (user: data.NewUser) => (await read<{ id: number }>('POST', ['users'], user)).id,
    /** Reads one account. */
    getUser: (id: number) => read<data.AdminUserDetails>('GET', ['users', id]),
    /** Deletes an account permanently, with its memberships and sessions. */
    deleteUser: (id: number) => change('DELETE', ['users', id]),
    /** Sets the password of an account and ends its sessions. */
    setPassword: (id: number, password: data.PasswordOrHash) =>
      change('PUT', ['users', id, 'password'], password),
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
    /** Enables an account that waits for approval, and informs its owner by email. */
    approveUser: (id: number) => change('POST', ['users', id, 'approve']),
    /** Lists the invitations that have not been accepted, including expired invitations. */
    listInvitations: (query?: data.AdminQuery) => list<data.Invitation>(['invitations'], query),
    /** Sends an email that lets its recipient create an account with these roles. */
    inviteUser: (email: string, roles: readonly string[] = []) =>
      read<data.Invitation>('POST', ['invitations'], { email, roles }),
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
    listSessions: (id: number, query?: data.AdminQuery) =>
      list<data.AdminSession>(['users', id, 'sessions'], query),
    /** Ends every session of the account, and returns the number of ended sessions. */
    revokeSessions: async (id: number) =>
      (await read<{ ended: number }>('DELETE', ['users', id, 'sessions'])).ended,
    /** Ends one session of an account. */
    revokeSession: (id: number, sessionId: string) => change('DELETE', ['users', id, 'sessions', sessionId]),
    /** Reads whether an account has a second factor. */
    readUserFactor: (id: number) => read<data.UserFactor>('GET', ['users', id, 'second-factor']),
    /** Removes the second factor of a user who has lost it. */
    removeUserFactor: (id: number) => change('DELETE', ['users', id, 'second-factor']),
    /** Lists the passkeys of an account, the oldest first. Passkeys must be enabled in the service. */
    listUserPasskeys: (id: number) => read<readonly data.UserPasskey[]>('GET', ['users', id, 'passkeys']),
    /** Removes a passkey of a user who has lost the device. */
    removeUserPasskey: (id: number, passkeyId: string) =>
      change('DELETE', ['users', id, 'passkeys', passkeyId]),
    /** Lists the roles. */
    listRoles: (query?: data.AdminQuery) => list<data.AdminRole>(['roles'], query),
    /** Creates a role. */
    createRole: (role: { readonly key: string; readonly label: string }) =>
      read<data.AdminRole>('POST', ['roles'], role),
    /** Deletes a role that is not assigned to any account or valid API key. */
    deleteRole: (key: string) => change('DELETE', ['roles', key]),
    /** Lists the API keys, including revoked and expired keys. */
    listApiKeys: (query?: data.AdminQuery) => list<data.AdminApiKey>(['api-keys'], query),
    /** Creates an API key, which the service shows only once. */
    createApiKey: (key: data.NewAdminApiKey) =>
      read<{ readonly id: number; readonly key: string }>('POST', ['api-keys'], key),
    /** Revokes an API key. */
    revokeApiKey: (keyId: number) => change('DELETE', ['api-keys', keyId]),
    /** Lists who did what and when. */
    listAudit: (query?: data.AuditQuery) => list<data.AdminAuditRecord>(['audit'], query),
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
