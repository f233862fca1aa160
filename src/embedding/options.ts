import type { SettingOptions } from '../configuration/settings.js'
import type { Component, Components, NoComponents } from '../domain/access/components.js'
import type { PermissionRules } from '../domain/access/permissions.js'
import type { AuditSink } from '../ports/audit-log.js'
import type { Clock } from '../ports/clock.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { Mailer, MailTemplates } from '../ports/mailer.js'
import type { PasswordBlocklist } from '../ports/password-blocklist.js'
import type { PasswordHasher } from '../ports/password-hasher.js'
import type { Randomness } from '../ports/randomness.js'
import type { GivenStore, Store } from '../ports/store.js'

export type { DurationOption } from '../configuration/units.js'

/**
 * How a Kennel is opened. Nearly every setting of the service is here, named as docs/operate/settings.md has it; it means the
 * same and has the same default, but for `production`, which is true by default. Only `passphrase` and `publicUrl` have
 * none. `OwnStore` is the type of `store`, from which that of the Kennel follows.
 *
 * @interface
 */
export type KennelOptions<
  Own extends Components = NoComponents,
  OwnStore extends string | GivenStore = string | Store,
> = Omit<SettingOptions, 'store'> &
  // An environment variable may be undefined: `openKennel` then refuses by name.
  Record<'passphrase' | 'publicUrl', string | undefined> & {
    /**
     * A URL, or an open store of your own, which stays yours to close. It may lack ports of features that you do not use:
     * what needs one of them is then absent from the Kennel.
     */
    readonly store?: OwnStore
    /** What PERMISSIONS_FILE would hold. */
    readonly permissions?: PermissionRules
    /**
     * Components of your own with their actions, such as `{ invoices: ['list', 'pay'] }`: permissions may name them and
     * `authorize` judges them as the built-in ones, whose names they cannot have. Names have 1 to 100 letters, digits,
     * dots, underscores or hyphens.
     */
    readonly components?: Own & { readonly [Name in Component]?: never }
    /**
     * Whether `identifyPage` takes the session cookie alone as proof; false by default. What that gives up is in
     * docs/embed/pages-downloads-streams.md. It needs sessions, and a cookie that other sites cannot have sent along.
     */
    readonly pages?: boolean
    /**
     * Whether mails are sent and what has expired is removed by themselves; true by default. No timer of
     * it keeps a process alive.
     */
    readonly background?: boolean
    /** In place of ours. */
    readonly parts?: KennelParts
  }

/** With components and a store of any kind. */
export type AnyOptions = KennelOptions<Components, string | GivenStore>

/**
 * Parts of your own. What a part lacks is an error of the options; where it breaks a law of its port
 * that can be seen, calls reject with a `PartError`, which is logged too.
 */
export type KennelParts = {
  readonly clock?: Clock
  readonly randomness?: Randomness
  readonly hasher?: PasswordHasher
  /** In place of the built-in list and of what `passwordBlocklist` says. */
  readonly passwordBlocklist?: PasswordBlocklist
  /** Takes the place of `mailUrl`; closed with the Kennel. */
  readonly mailer?: Mailer
  readonly mailTemplates?: MailTemplates
  /** All get every audit record, in place of what `audit` says. */
  readonly auditSinks?: readonly AuditSink[]
  /** Gets every line of the Kennel and of the handlers that serve it. Without a log, warnings and errors go to standard error. */
  readonly log?: Log
  /** Without one nothing is counted; `kennel-id/prometheus` makes one. */
  readonly metrics?: Metrics
}
