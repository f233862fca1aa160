import type { Components, NoComponents } from '../domain/access/components.js'
import type { Authorize } from '../application/access/authorize.js'
import type { HttpUseCases } from '../http/parts.js'
import type { HttpSettings } from '../http/settings.js'
import type { AbsentWithout, OperatorUseCases } from '../application/wiring.js'
import type { Log } from '../ports/log.js'
import type { MissingPort } from '../ports/given-store.js'
import type { ClientContext } from '../application/client-context.js'
import type { Identity } from '../domain/access/caller.js'
import type { CredentialSource, PageRequest } from './identify.js'
import type { SessionCookieHeaders } from './session-cookie.js'

/**
 * All operations as methods. The type of each method names its refusals. Each also refuses a value of another type with
 * `malformed`, a value that breaks a rule of the domain with `invalid`, and every call after `close` with `unavailable`;
 * the first two name every wrong field. `Own` are the custom components, see `KennelOptions`.
 */
export type Kennel<Own extends Components = NoComponents> = Omit<HttpUseCases, 'authorize'> &
  OperatorUseCases & {
    /**
     * Refuses with `unauthenticated` if the caller has no identity, and with `forbidden` if its roles lack the permission.
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
     * Identifies the sender of a request with one read of the store. Takes the session cookie and the bearer token from a
     * `Request`, from `Headers`, or from a request of Node or its `headers`, as strictly as the HTTP interface, and resolves
     * as `getIdentity`. Refuses ambiguous credentials with `invalid-token`, such as two cookies of one name.
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
    identify(request: CredentialSource, client?: ClientContext): Promise<Identity>
    /**
     * Identifies the visitor of a page by the session cookie alone, for requests that cannot send a bearer token. Refuses
     * with `forbidden` unless the option `pages` is on, and for all methods except GET and HEAD. Never use it for a request
     * that changes data.
     */
    identifyPage(request: PageRequest, client?: ClientContext): Promise<Identity>
    /** For hosts that read and set cookies themselves; not for stateless mode. */
    readonly sessionCookie: SessionCookieHeaders
    /** For `createHttpService` of `kennel-id/koa`; `createHandler` of `kennel-id/web` takes the whole Kennel. */
    readonly httpSettings: HttpSettings
    /** `parts.log`, or a log that writes warnings and errors to standard error. */
    readonly log: Log
    /** Whether `close` was called. */
    readonly closed: boolean
    /** Rejects with `unavailable` if the store does not answer. */
    ready(): Promise<void>
    /** Sends the due mails, and returns their number. With `background` this happens automatically. */
    sendMails(): Promise<number>
    /** Removes expired rows, and returns their number. With `background` this happens automatically. */
    purgeExpired(): Promise<number>
    /** Waits for running calls, and closes the store and the parts that it has opened. May be called twice. */
    close(): Promise<void>
  }

/** A Kennel over this store, without the use cases whose ports the store lacks. */
export type KennelOver<S, Own extends Components = NoComponents> = [MissingPort<S>] extends [never]
  ? Kennel<Own>
  : Omit<Kennel<Own>, AbsentWithout<MissingPort<S>>>
