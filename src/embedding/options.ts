import type { SettingOptions } from '../configuration/settings.js'
import type { Component, Components, NoComponents } from '../domain/access/components.js'
import type { TypedPermissionRules } from '../domain/access/permissions.js'
import type { AuditSink } from '../ports/audit-log.js'
import type { Clock } from '../ports/clock.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { Mailer, MailTemplates } from '../ports/mailer.js'
import type { PasswordBlocklist } from '../ports/password-blocklist.js'
import type { PasswordHasher } from '../ports/password-hasher.js'
import type { Randomness } from '../ports/randomness.js'
import type { GivenStore } from '../ports/given-store.js'
import type { Store } from '../ports/store.js'

export type { DurationOption } from '../configuration/units.js'

/**
 * The options of `openKennel`. Nearly every setting of the service is an option, with the name, meaning and default of
 * docs/operate/settings.md; only `production` differs: it is true by default. `passphrase` and `publicUrl` have no default.
 * `OwnStore` is the type of `store`, which determines the type of the Kennel.
 *
 * @interface
 */
export type KennelOptions<
  Own extends Components = NoComponents,
  OwnStore extends string | GivenStore = string | Store,
> = Omit<SettingOptions, 'store'> &
  // An environment variable may be undefined: `openKennel` rejects it by name.
  Record<'passphrase' | 'publicUrl', string | undefined> & {
    /**
     * A URL, or an open custom store, which you close yourself. It may lack the ports of unused features: methods that need
     * them are absent from the Kennel.
     */
    readonly store?: OwnStore
    /** The content of PERMISSIONS_FILE. A misspelt component or action, also of `components`, does not compile. */
    readonly permissions?: TypedPermissionRules<NoInfer<Own>>
    /**
     * Custom components with their actions, such as `{ invoices: ['list', 'pay'] }`: permissions may name them, and
     * `authorize` checks them like built-in components, whose names they cannot have. A name has 1 to 100 letters, digits,
     * dots, underscores or hyphens.
     */
    readonly components?: Own & { readonly [Name in Component]?: never }
    /**
     * Whether `identifyPage` accepts the session cookie alone as proof; false by default. It needs sessions, and a cookie
     * that browsers do not send from other sites. The risks are in docs/embed/pages-downloads-streams.md.
     */
    readonly pages?: boolean
    /** Whether mails are sent and expired rows removed automatically; true by default. Its timers keep no process alive. */
    readonly background?: boolean
    /** Custom parts, which replace the built-in parts. */
    readonly parts?: KennelParts
  }

/** Options with any components and any kind of store. */
export type AnyOptions = KennelOptions<Components, string | GivenStore>

/**
 * Custom parts. A missing function is an error of the options. If an answer of a part breaks a law of its port, the call
 * rejects with a `PartError`, which is logged too.
 */
export type KennelParts = {
  readonly clock?: Clock
  readonly randomness?: Randomness
  readonly hasher?: PasswordHasher
  /** Replaces the built-in list and the option `passwordBlocklist`. */
  readonly passwordBlocklist?: PasswordBlocklist
  /** Replaces `mailUrl`; closed with the Kennel. */
  readonly mailer?: Mailer
  readonly mailTemplates?: MailTemplates
  /** Each gets every audit record; replaces the option `audit`. */
  readonly auditSinks?: readonly AuditSink[]
  /** Gets every line of the Kennel and of the handlers that serve it. Without a log, warnings and errors go to standard error. */
  readonly log?: Log
  /** Nothing is counted without metrics; `kennel-id/prometheus` makes them. */
  readonly metrics?: Metrics
}

/**
 * All errors of the options of `openKennel`. Each is a sentence that names its option and contains no value. The `code`
 * identifies the error, also across copies of the package.
 */
export class OptionsError extends TypeError {
  readonly code = 'invalid-options'
  /** One sentence for each error. */
  readonly errors: readonly string[]

  constructor(errors: readonly string[], cause?: unknown) {
    super(
      `Kennel cannot be opened:\n${errors.map((error) => `- ${error}`).join('\n')}`,
      cause === undefined ? undefined : { cause },
    )
    this.name = 'OptionsError'
    this.errors = errors
  }
}
