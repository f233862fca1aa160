import type { Components, NoComponents } from '../domain/access/components.js'
import type { Authorize } from '../application/access/authorize.js'
import type { HttpUseCases, HttpSettings } from '../http/parts.js'
import type { AbsentWithout, OperatorUseCases, PasskeyUseCase } from '../application/wiring.js'
import type { Log } from '../ports/log.js'
import type { MissingPort } from '../ports/given-store.js'
import type { StoreWithin } from '../ports/store.js'
import type { ClientContext } from '../application/client-context.js'
import type { ApiKeyIdentity, Identity } from '../domain/access/caller.js'
import type { CredentialSource, IdentifyOptions, PageRequest } from './identify.js'
import type { SessionCookieHeaders } from './session-cookie.js'

/**
 * The passkey use cases, which are absent unless the option `passkeys` is enabled.
 *
 * @interface
 */
export type PasskeyUseCases = Partial<Pick<HttpUseCases, PasskeyUseCase>>

/**
 * An open Kennel instance, with all operations as methods. The type of each method lists its possible refusals. Each method also refuses a
 * value of the wrong type with `malformed`, a value that violates a domain rule with `invalid`, and every call after `close` with
 * `unavailable`. The refusals `malformed` and `invalid` list every invalid field. `Own` is the type of the custom components; see
 * `KennelOptions`.
 */
export type Kennel<Own extends Components = NoComponents> = Omit<HttpUseCases, 'authorize' | PasskeyUseCase> &
  PasskeyUseCases &
  OperatorUseCases & {
    /**
     * Refuses with `unauthenticated` if the caller has no identity, and with `forbidden` if the roles of the caller lack the permission.
     *
     * @example
     * ```ts
     * import { isRefusal, type Identity, type Kennel } from 'kennel-id'
     *
     * declare const kennel: Kennel<{ readonly invoices: readonly ['list', 'pay'] }>
     *
     * export function mayPay(identity: Identity): boolean {
     *   try {
     *     kennel.authorize(identity, 'invoices', 'pay')
     *     return true
     *   } catch (error) {
     *     if (isRefusal(error) && error.code === 'forbidden') return false
     *     throw error
     *   }
     * }
     * ```
     */
    readonly authorize: Authorize<Own>
    /**
     * Identifies the sender of a request with a single read of the store. Reads the session cookie and the bearer token from a `Request`,
     * from `Headers`, or from a Node request or its `headers`. Checks them as strictly as the HTTP interface, and resolves with the same
     * result as `getIdentity`. Refuses ambiguous credentials, such as two cookies with the same name, with `invalid-token`.
     *
     * With `apiKeys`, a request may carry an API key in the header that `petsApiKeyHeader` names; any login in the request is then ignored.
     * Refuses an API key that is unknown, revoked or expired with `invalid-credentials`.
     *
     * @example
     * ```ts
     * import { replyOf, type Kennel } from 'kennel-id'
     *
     * declare const kennel: Kennel
     *
     * export async function hello(request: Request): Promise<Response> {
     *   try {
     *     const { email } = await kennel.identify(request)
     *     return Response.json({ hello: email })
     *   } catch (error) {
     *     const { status, headers, body } = replyOf(error)
     *     return Response.json(body, { status, headers })
     *   }
     * }
     * ```
     */
    identify(
      request: CredentialSource,
      client: ClientContext | undefined,
      options: IdentifyOptions,
    ): Promise<Identity | ApiKeyIdentity>
    /** Identifies the logged-in sender of a request. An API key in the request is ignored. */
    identify(request: CredentialSource, client?: ClientContext): Promise<Identity>
    /**
     * Identifies a page's visitor by the session cookie alone, for requests that cannot carry a bearer token. Refuses with `forbidden`
     * unless the option `pages` is enabled and the method is GET or HEAD. Never use this method for a request that changes data.
     */
    identifyPage(request: PageRequest, client?: ClientContext): Promise<Identity>
    /** Reads and writes the session cookie, for hosts that handle cookies themselves; not available in stateless mode. */
    readonly sessionCookie: SessionCookieHeaders
    /** Settings for `createHttpService` of `kennel-id/koa`; `createHandler` of `kennel-id/web` takes the whole Kennel instance instead. */
    readonly httpSettings: HttpSettings
    /** The log in `parts.log`, or a log that writes warnings and errors to standard error. */
    readonly log: Log
    /** Whether `close` was called. */
    readonly closed: boolean
    /**
     * Returns the operator use cases with other ports, such as ports that use your own PostgreSQL connection. Changes, emails and audit
     * records are then part of your transaction. Passwords, emails and permissions follow the rules of this Kennel instance. If a call
     * rejects, roll back. Emails are sent within ten seconds of the commit, or when you call `sendMails`. Refuses with `malformed` if any
     * port other than `copyableRecords` is missing.
     *
     * @example
     * ```ts
     * import { OPERATOR, type Kennel } from 'kennel-id'
     * import type { PostgresStore } from 'kennel-id/postgresql'
     *
     * declare const kennel: Kennel
     * declare const store: PostgresStore
     * declare const client: { query(...statement: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }> }
     *
     * await client.query('BEGIN')
     * try {
     *   const { createUser } = kennel.within(store.within(client))
     *   const id = await createUser({ caller: OPERATOR, email: 'ada@example.com', password: 'a long walk in the park' })
     *   await client.query('INSERT INTO orders (account_id, item) VALUES ($1, $2)', [id, 'a kennel'])
     *   await client.query('COMMIT')
     * } catch (error) {
     *   await client.query('ROLLBACK')
     *   throw error
     * }
     * ```
     */
    within(store: StoreWithin): OperatorUseCases
    /** Rejects with `unavailable` if the store does not respond. */
    ready(): Promise<void>
    /**
     * Sends the emails that are due and returns the number of sent emails. With the option `background`, due emails are sent automatically.
     */
    sendMails(): Promise<number>
    /** Removes expired records and returns the number of removed records. With the option `background`, this happens automatically. */
    purgeExpired(): Promise<number>
    /**
     * Waits for running calls, and then closes the store and all parts that this Kennel instance has opened. A second call has no further
     * effect.
     */
    close(): Promise<void>
  }

/** A Kennel instance with this store, without the use cases whose ports the store lacks. */
export type KennelOver<S, Own extends Components = NoComponents> = [MissingPort<S>] extends [never]
  ? Kennel<Own>
  : Omit<Kennel<Own>, AbsentWithout<MissingPort<S>>>
