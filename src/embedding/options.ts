import type { SettingOptions } from '../configuration/settings.js'
import type { Component, Components, NoComponents } from '../domain/access/components.js'
import type { TypedPermissionRules } from '../domain/access/permission-rules.js'
import type { AdmitAccount, PreviousAccounts } from '../ports/callbacks.js'
import type { AuditSink } from '../ports/audit-log.js'
import type { Clock, Randomness } from '../ports/system.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { Mailer, MailTemplates } from '../ports/mail.js'
import type { PasswordBlocklist, PasswordHasher } from '../ports/passwords.js'
import type { GivenStore } from '../ports/given-store.js'
import type { Store } from '../ports/store.js'

export type { DurationOption } from '../configuration/units.js'

/**
 * The options of `openKennel`. Nearly every setting of the service is an option with the same name, meaning and default as in
 * docs/operate/settings.md, except that `production` is true by default. `passphrase` and `publicUrl` have no default. `OwnStore` is the
 * type of `store`; it determines the type of the Kennel instance.
 *
 * @interface
 */
export type KennelOptions<
  Own extends Components = NoComponents,
  OwnStore extends string | GivenStore = string | Store,
> = Omit<SettingOptions, 'store'> &
  // The value may be `undefined`, because it often comes from an environment variable; `openKennel` then reports the missing option.
  Record<'passphrase' | 'publicUrl', string | undefined> & {
    /**
     * A URL, or an open custom store, which the caller must close. A custom store may lack the ports of unused features: the Kennel
     * instance then does not have the methods that need these ports.
     */
    readonly store?: OwnStore | undefined
    /**
     * Permissions in the format of PERMISSIONS_FILE. A misspelled component or action, including one that belongs to `components`, is a
     * compile-time error.
     */
    readonly permissions?: TypedPermissionRules<NoInfer<Own>> | undefined
    /**
     * Custom components with their actions, such as `{ invoices: ['list', 'pay'] }`: permissions may refer to them, and `authorize` checks
     * them like built-in components. The names of custom components must differ from those of the built-in components. A name consists of 1
     * to 100 letters, digits, dots, underscores or hyphens.
     */
    readonly components?: (Own & { readonly [Name in Component]?: never }) | undefined
    /**
     * Whether `identifyPage` accepts the session cookie alone as a credential; false by default. This option requires sessions, and a
     * cookie that browsers do not send with requests from other sites. The page docs/embed/pages-downloads-streams.md describes the risks.
     */
    readonly pages?: boolean | undefined
    /**
     * Whether emails are sent and expired records are removed automatically; true by default. The timers of this background work do not
     * keep the process alive.
     */
    readonly background?: boolean | undefined
    /** Custom parts that replace the built-in parts. */
    readonly parts?: KennelParts | undefined
  }

/** Options with any components and any kind of store. */
export type AnyOptions = KennelOptions<Components, string | GivenStore>

/**
 * Custom parts. `openKennel` reports a missing function as an error in the options. If a result of a part violates a law of its port, the
 * call rejects with a `PartError`, which is also logged.
 */
export type KennelParts = {
  readonly clock?: Clock | undefined
  readonly randomness?: Randomness | undefined
  readonly hasher?: PasswordHasher | undefined
  /** Replaces the built-in list and the option `passwordBlocklist`. */
  readonly passwordBlocklist?: PasswordBlocklist | undefined
  /** Replaces `mailUrl`; closing the Kennel instance also closes the mailer. */
  readonly mailer?: Mailer | undefined
  readonly mailTemplates?: MailTemplates | undefined
  /** Each sink receives every audit record; the sinks replace the option `audit`. */
  readonly auditSinks?: readonly AuditSink[] | undefined
  /**
   * Decides on each request to sign up; without this function, people can sign up with any permitted email. Not called for invitations.
   */
  readonly admitAccount?: AdmitAccount | undefined
  /** Verifies logins with unknown emails, so that each account from another system moves to Kennel at its first login. */
  readonly previousAccounts?: PreviousAccounts | undefined
  /**
   * Receives every log line of the Kennel instance and of the handlers that serve it. Without a custom log, warnings and errors are written
   * to standard error.
   */
  readonly log?: Log | undefined
  /** Without `metrics`, nothing is counted; `kennel-id/prometheus` creates metrics. */
  readonly metrics?: Metrics | undefined
}

/**
 * Error that lists all errors in the options of `openKennel`. Each error is a sentence that contains the name of the option but no value.
 * The `code` identifies the error even if several copies of the package are loaded.
 */
export class OptionsError extends TypeError {
  readonly code = 'invalid-options'
  /** One sentence per error. */
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
