import type { Components, NoComponents } from '../domain/access/components.js'
import type { Authorize } from '../application/access/authorize.js'
import type { HttpUseCases } from '../http/parts.js'
import type { HttpSettings } from '../http/settings.js'
import type { AbsentWithout, OperatorUseCases } from '../application/wiring.js'
import type { Log } from '../ports/log.js'
import type { MissingPort } from '../ports/store.js'
import type { ClientContext } from '../application/client-context.js'
import type { Identity } from '../domain/access/caller.js'
import type { CredentialSource, PageRequest } from './identify.js'
import type { SessionCookieHeaders } from './session-cookie.js'

/**
 * Everything that Kennel can do, as methods. Each refuses as its type says; after `close` with
 * `unavailable`. What is not of the type that it should be is refused with `malformed`, and what is
 * but breaks a rule of the domain with `invalid`; both name every field that is wrong. `Own` are the components of the
 * embedder's own, see `KennelOptions`.
 */
export type Kennel<Own extends Components = NoComponents> = Omit<HttpUseCases, 'authorize'> &
  OperatorUseCases & {
    /** Refuses with `unauthenticated` where there is no identity that could have the permission, else with `forbidden`. */
    readonly authorize: Authorize<Own>
    /**
     * Who sent a request, in one call and one read of the store: reads session cookie and bearer token out of a `Request`,
     * `Headers`, or a request of Node or its `headers`, as strictly as the HTTP interface does, and resolves as
     * `getIdentity`. Refuses with `invalid-token` what could be read in two ways, such as two cookies of one name.
     */
    identify(request: CredentialSource, client?: ClientContext): Promise<Identity>
    /**
     * Who asks for a page, by the session cookie alone: for what cannot send a bearer token. `forbidden` unless the option
     * `pages` is on, and for any method but GET and HEAD; never use it for what changes anything.
     */
    identifyPage(request: PageRequest, client?: ClientContext): Promise<Identity>
    /** For hosts that read and set cookies themselves; of no use in stateless mode. */
    readonly sessionCookie: SessionCookieHeaders
    /**
     * For `createHttpService` of `kennel-id/koa`, which takes this object as its use cases; `createHandler` of `kennel-id/web`
     * takes it as a whole.
     */
    readonly httpSettings: HttpSettings
    /** `parts.log`, or the log that writes warnings and errors to standard error. */
    readonly log: Log
    /** Whether `close` was called. */
    readonly closed: boolean
    /** Resolves while the store answers; rejects with `unavailable` else. */
    ready(): Promise<void>
    /** Sends the mails that are due; returns how many have left. It happens by itself where `background` is not false. */
    sendMails(): Promise<number>
    /** Removes what has expired; returns how many rows went. It happens by itself where `background` is not false. */
    purgeExpired(): Promise<number>
    /** Waits for what is under way and closes what was opened. Twice is fine. */
    close(): Promise<void>
  }

/** A Kennel over this store: without the use cases for which it lacks a port. */
export type KennelOver<S, Own extends Components = NoComponents> = [MissingPort<S>] extends [never]
  ? Kennel<Own>
  : Omit<Kennel<Own>, AbsentWithout<MissingPort<S>>>
