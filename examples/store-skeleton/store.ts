// A store to fill in. Written from the ports of Kennel: the comment of each call is its promise, which the laws of
// `kennel-id/contracts` test. Leave out the ports of features that you do not use.
import type {
  Account,
  AccountId,
  ApiKey,
  ApiKeyId,
  AuditRecord,
  Email,
  Epoch,
  Instant,
  PageLimit,
  PasswordHash,
  Pet,
  PetDraft,
  PetId,
  PetPage,
  Project,
  ProjectDraft,
  ProjectId,
  ProjectPage,
  Revision,
  Role,
  RoleKey,
  SessionId,
  TraitsChange,
} from 'kennel-id'
import type {
  AccountInsertion,
  AccountSearch,
  ActiveSession,
  ApiKeyDigest,
  Attempt,
  AttemptCount,
  AttemptOutcome,
  AuditPageRequest,
  CopyClaim,
  EmailChange,
  GivenStore,
  Idempotency,
  IssuedResetToken,
  KeyDigest,
  LoginRotation,
  LoginRotationRequest,
  MailClaim,
  MailJob,
  MailJobId,
  NewAccount,
  NewApiKey,
  PageOrder,
  PasswordChange,
  PetInsertion,
  PetPatch,
  PetRemoval,
  RecordKind,
  RecordOf,
  RecoveryDigest,
  RecoveryRenewal,
  ResetConsumption,
  ResetDigest,
  Rotation,
  RotationRequest,
  SealedSecret,
  SecondFactor,
  SecondFactorActivation,
  Session,
  SessionPageRequest,
  StatelessLogin,
  TakenStep,
} from 'kennel-id/ports'

function notImplemented(call: string): never {
  throw new Error(`${call} is not implemented`)
}

/**
 * User accounts. IDs are positive integers, increase and are never reused, not even after `remove`. Answers are copies,
 * or deeply frozen.
 */
export const accounts = {
  /**
   * Atomic on the email: of any number of inserts of one email exactly one answers `inserted`, decided by a unique index
   * of the store. A new account has epoch 1 and the given roles. All or nothing, even if the process is killed: an
   * unknown role makes no account. A taken email is `duplicate-email`, regardless of the roles, and changes nothing; so
   * is an email that accounts have as their `sharedEmail`.
   */
  async insert(account: NewAccount): Promise<AccountInsertion> {
    return notImplemented('accounts.insert')
  },
  /**
   * The account with the canonical `email`, with its roles, in one read; `undefined` if there is no such account. If
   * accounts have this `sharedEmail`: the account whose own email is `former`, the typed email in the form of releases up
   * to 0.7.0, or the only account that is left.
   */
  async findByEmail(email: Email, former?: Email): Promise<Account | undefined> {
    return notImplemented('accounts.findByEmail')
  },
  /** The account with its roles, in one read; `undefined` if there is no such account. */
  async find(id: AccountId): Promise<Account | undefined> {
    return notImplemented('accounts.find')
  },
  /**
   * The existing accounts among `ids`, with their roles, ascending by ID, each once. One read of the store; the cost
   * depends on the number of IDs.
   */
  // Optional: without it Kennel makes this call from the others.
  async findMany(ids: readonly AccountId[]): Promise<readonly Account[]> {
    return notImplemented('accounts.findMany')
  },
  /**
   * Accounts with an ID above `after`, ascending, or, newest first, with an ID below it, descending; at most `limit`.
   * See `PageOrder`. The cost depends only on the page.
   */
  async page(after: AccountId | undefined, limit: number, order?: PageOrder): Promise<readonly Account[]> {
    return notImplemented('accounts.page')
  },
  /**
   * Accounts that match all filters, ascending by email (compared by code unit or by code point), at most `limit`. Uses
   * an index for every combination of filters: the cost depends only on the page.
   */
  async search(search: AccountSearch): Promise<readonly Account[]> {
    return notImplemented('accounts.search')
  },
  /**
   * Compare-and-swap of the stored hash, for a new hash of the same password: writes only if the hash is still
   * `expected`, so that a concurrent password change wins. Does not change the epoch.
   */
  async replaceHash(
    id: AccountId,
    expected: PasswordHash,
    next: PasswordHash,
  ): Promise<'replaced' | 'changed'> {
    return notImplemented('accounts.replaceHash')
  },
  /**
   * Sets another password and increments the epoch in one write: when it resolves, every earlier session and refresh
   * token has ended, and every later one continues (see `Sessions.endAllOf`).
   */
  async setPassword(id: AccountId, hash: PasswordHash): Promise<'set' | 'unknown'> {
    return notImplemented('accounts.setPassword')
  },
  /**
   * As `setPassword`, in ONE write that succeeds only if the hash is still `expected` and the account is enabled. Any
   * number of callers with one `expected`, in any number of processes: exactly one gets the new epoch.
   */
  async changePassword(change: PasswordChange): Promise<Epoch | undefined> {
    return notImplemented('accounts.changePassword')
  },
  /**
   * Sets another email and increments the epoch in ONE write: every earlier session and refresh token has ended, and
   * every reset token of the previous email is void. `email-taken`, which changes nothing, if another account has the
   * email, also as its `sharedEmail`; a unique index of the store decides between concurrent callers. The account has no
   * `sharedEmail` afterwards.
   */
  async changeEmail(change: EmailChange): Promise<'changed' | 'email-taken' | 'unknown'> {
    return notImplemented('accounts.changeEmail')
  },
  /**
   * Disables (an instant) or enables (`undefined`) the account and increments the epoch, in one write. `unchanged` if it
   * is in that state already: instant and epoch stay, so enabling an account that was never disabled ends no session.
   */
  async setDisabled(id: AccountId, at: Instant | undefined): Promise<'set' | 'unchanged' | 'unknown'> {
    return notImplemented('accounts.setDisabled')
  },
  /**
   * Adds a reset token, in one write, if the account is enabled and still has this epoch: a change of the epoch voids all
   * reset tokens. The newest `RESET_TOKENS_MAX` tokens are valid, in order of issue; a new token of the same mail
   * replaces the earlier token and becomes the newest.
   */
  async issueResetToken(id: AccountId, epoch: Epoch, token: IssuedResetToken): Promise<'issued' | 'changed'> {
    return notImplemented('accounts.issueResetToken')
  },
  /**
   * Whether `consumeResetToken` would succeed now. `email` is canonical; the token may belong to any account that has it
   * as its email or `sharedEmail`.
   */
  async holdsResetToken(email: Email, digest: ResetDigest, at: Instant): Promise<boolean> {
    return notImplemented('accounts.holdsResetToken')
  },
  /**
   * Sets another password, increments the epoch and voids all reset tokens, in ONE write that succeeds only if this token
   * is valid at `at` and the account is enabled. Any number of callers with one token, in any number of processes:
   * exactly one gets the ID of the account.
   */
  async consumeResetToken(input: ResetConsumption): Promise<AccountId | undefined> {
    return notImplemented('accounts.consumeResetToken')
  },
  /**
   * The ends of all stored reset tokens of the account, valid or not, in order of issue; empty if there is no such
   * account.
   */
  async resetTokenEnds(id: AccountId): Promise<readonly Instant[]> {
    return notImplemented('accounts.resetTokenEnds')
  },
  /**
   * Removes the account with its memberships, reset tokens, second factor and sessions; projects and pets stay. With an
   * epoch, only if the account still has it, in the same write: a proof from before a password change cannot remove the
   * account. Any number of callers, in any number of processes: exactly one gets `removed`.
   */
  async remove(id: AccountId, epoch?: Epoch): Promise<'removed' | 'unknown'> {
    return notImplemented('accounts.remove')
  },
} satisfies GivenStore['accounts']

/**
 * Login sessions. A session is active at `at` if `at` is before its absolute end and before the idle end of its current
 * generation, and its account exists, is not disabled and has the epoch of the session. The account of its actor, if it
 * has an actor, must exist, not be disabled and have the epoch of the actor. Inactive sessions are absent from every
 * answer. The store holds only digests of keys. Answers are copies, or deeply frozen; a frozen object may be returned
 * again until its data changes.
 */
export const sessions = {
  /**
   * Stores the session of a login; its ID and digest are random, so they are new. Stores nothing if its account, or the
   * account of its actor, prevents it from being active: the account may have been removed in the meantime.
   */
  async open(session: Session): Promise<void> {
    return notImplemented('sessions.open')
  },
  /**
   * As `open`, for an account that may have at most `most` sessions, at least 1. Also ends its oldest other sessions, by
   * `createdAt`, then `id`, that are active at the `createdAt` of this session, until the limit holds. Sessions with an
   * actor do not count and stay. Concurrent calls may end each other's sessions: when all have returned, exactly `most`
   * are active. Returns the number of ended sessions.
   */
  async openWithLimit(session: Session, most: number): Promise<number> {
    return notImplemented('sessions.openWithLimit')
  },
  /**
   * The active session with this current key, or with this previous key before `previous.until`, with its account and
   * roles and, if it has an actor, the roles of the actor. ONE read.
   */
  async find(keyDigest: KeyDigest, at: Instant): Promise<ActiveSession | undefined> {
    return notImplemented('sessions.find')
  },
  /** The active session with this ID, in the form of `find`. ONE read. */
  async findById(id: SessionId, at: Instant): Promise<ActiveSession | undefined> {
    return notImplemented('sessions.findById')
  },
  /**
   * Active sessions of an account by `createdAt`, then `id` (by code unit), at most `limit`. Uses an index: the cost
   * depends only on the page and on inactive sessions.
   */
  async pageOf(request: SessionPageRequest): Promise<readonly Session[]> {
    return notImplemented('sessions.pageOf')
  },
  /**
   * Applies `decideRotation` to the active session, as one compare-and-swap of one row or document: stores the session if
   * `rotated`, removes it if `replayed`, and otherwise writes nothing. Without grace the previous generation has no
   * window, not even for a clock that is behind the winner's clock. Any number of callers with one `from`, in any number
   * of processes: exactly one gets `rotated`.
   */
  async rotate(request: RotationRequest): Promise<Rotation> {
    return notImplemented('sessions.rotate')
  },
  /** When it resolves, no `find` finds the session and no `rotate` succeeds. A second call is harmless. */
  async end(id: SessionId): Promise<'ended' | 'unknown'> {
    return notImplemented('sessions.end')
  },
  /** As `end`, if the session belongs to this account; otherwise `unknown`, and the session stays. */
  async endOne(accountId: AccountId, id: SessionId): Promise<'ended' | 'unknown'> {
    return notImplemented('sessions.endOne')
  },
  /**
   * Ends the sessions of the account, and the sessions in which it acts, except `keep`. Every session that existed when
   * the call began has ended when it resolves; a session that began after any effect of the call was visible stays. Does
   * not change the epoch. Returns how many of them were active at `at`; concurrent calls count each session once.
   */
  async endOthers(accountId: AccountId, keep: SessionId, at: Instant): Promise<number> {
    return notImplemented('sessions.endOthers')
  },
  /**
   * Ends all sessions of the account, and the sessions in which it acts, at ONE point in time: one write increments the
   * epoch of the account and changes nothing else in it. When it resolves, every session and refresh token of an older
   * epoch is invalid. A session of the new epoch stays, even if it was opened before the call resolved: no login ends
   * that began after any effect of the call was visible. Returns the number of sessions of the account itself, or
   * `undefined` if there is no such account. `Accounts.setPassword`, `setDisabled` and `consumeResetToken` end sessions
   * in the same way.
   */
  async endAllOf(accountId: AccountId): Promise<number | undefined> {
    return notImplemented('sessions.endAllOf')
  },
  /**
   * Removes sessions past their end at `at`, the oldest first, at most `limit` in one call; returns their number. It may
   * return early if the signal is aborted; a store that reads more than it removes heeds the signal.
   */
  async purge(at: Instant, limit: number, signal?: AbortSignal): Promise<number> {
    return notImplemented('sessions.purge')
  },
} satisfies GivenStore['sessions']

/** The catalogue. Answers are copies, or deeply frozen; arguments are copied. */
export const pets = {
  /**
   * IDs increase and are never reused: an insert that begins after another was acknowledged gets the greater ID;
   * concurrent inserts may be acknowledged in any order. An idempotency key makes one pet, for any number of callers, in
   * one atomic step.
   */
  async insert(draft: PetDraft, idempotency?: Idempotency): Promise<PetInsertion> {
    return notImplemented('pets.insert')
  },
  /** `undefined` if there is no such pet. */
  async find(id: PetId): Promise<Pet | undefined> {
    return notImplemented('pets.find')
  },
  /**
   * The existing pets among `ids`, ascending by ID, each once. One read of the store; the cost depends on the number of
   * IDs.
   */
  // Optional: without it Kennel makes this call from the others.
  async findMany(ids: readonly PetId[]): Promise<readonly Pet[]> {
    return notImplemented('pets.findMany')
  },
  /** Ascending by ID, after `after`; see `PageOrder`. The cost depends only on the page, not on its depth. */
  async page(after: PetId | undefined, limit: PageLimit): Promise<PetPage> {
    return notImplemented('pets.page')
  },
  /**
   * Merges the change (`changeTraits`) and increments the revision, in one write: `null` removes a trait, and a pet
   * without traits has no `traits`. With `expected`, only if its revision is in this list. Any number of callers that
   * expect one revision: exactly one gets `patched`.
   */
  async patch(id: PetId, change: TraitsChange, expected?: readonly Revision[]): Promise<PetPatch> {
    return notImplemented('pets.patch')
  },
  /**
   * Removes the pet, in one write; with `expected`, only if its revision is in this list. Any number of removals and
   * patches that expect one revision: exactly one succeeds. The idempotency key of the pet stays in force: the same
   * insertion again is `repeated` and makes nothing.
   */
  async remove(id: PetId, expected?: readonly Revision[]): Promise<PetRemoval> {
    return notImplemented('pets.remove')
  },
  /** Removes idempotency keys whose `until` is not after `at`, at most `limit`; returns their number. */
  async purgeIdempotencyKeys(at: Instant, limit: number): Promise<number> {
    return notImplemented('pets.purgeIdempotencyKeys')
  },
} satisfies GivenStore['pets']

/** The role table and its memberships. */
export const roles = {
  /** Atomic on the key. */
  async insert(role: Role): Promise<'inserted' | 'duplicate-key'> {
    return notImplemented('roles.insert')
  },
  /** All roles, by key. */
  async list(): Promise<readonly Role[]> {
    return notImplemented('roles.list')
  },
  /**
   * Removes a role that no account holds and no API key that is valid at `at`; revoked and expired keys lose it. Atomic:
   * a removal and a concurrent call that gives the role do not both succeed.
   */
  async remove(key: RoleKey, at: Instant): Promise<'removed' | 'held' | 'unknown'> {
    return notImplemented('roles.remove')
  },
  /** One membership, however often and by however many callers it is assigned. */
  async assign(
    email: Email,
    key: RoleKey,
  ): Promise<'assigned' | 'already-assigned' | 'unknown-account' | 'unknown-role'> {
    return notImplemented('roles.assign')
  },
  /** In force from the next read of the account or of its sessions. */
  async unassign(
    email: Email,
    key: RoleKey,
  ): Promise<'unassigned' | 'not-assigned' | 'unknown-account' | 'unknown-role'> {
    return notImplemented('roles.unassign')
  },
} satisfies GivenStore['roles']

/** API keys, by digest; no key is ever stored or shown again. Ids increase and are never reused. */
export const apiKeys = {
  /** All or nothing: with an unknown role no key is made. */
  async insert(
    key: NewApiKey,
  ): Promise<
    | { readonly kind: 'inserted'; readonly id: ApiKeyId }
    | { readonly kind: 'unknown-role'; readonly role: RoleKey }
  > {
    return notImplemented('apiKeys.insert')
  },
  /**
   * The key with its roles, in one read; `undefined` if it is unknown, revoked, or expired at `at`. A frozen answer may
   * be returned again until its data changes, but each call judges the expiry.
   */
  async find(digest: ApiKeyDigest, at: Instant): Promise<ApiKey | undefined> {
    return notImplemented('apiKeys.find')
  },
  /**
   * Keys with an ID above `after`, ascending, at most `limit`, also revoked and expired keys. The cost depends only on
   * the page.
   */
  async page(after: ApiKeyId | undefined, limit: number): Promise<readonly ApiKey[]> {
    return notImplemented('apiKeys.page')
  },
  /**
   * Stores `at` as the last use, unless a later use is stored. Called at most once an hour by each process, and no
   * request waits for it: a lost write does no harm. An unknown key is no error.
   */
  async recordUse(id: ApiKeyId, at: Instant): Promise<void> {
    return notImplemented('apiKeys.recordUse')
  },
  /** When it resolves, `find` does not find the key. */
  async revoke(id: ApiKeyId, at: Instant): Promise<'revoked' | 'already-revoked' | 'unknown'> {
    return notImplemented('apiKeys.revoke')
  },
} satisfies GivenStore['apiKeys']

/** Projects; each belongs to one account and outlives it. Arguments and answers are copied. */
export const projects = {
  /**
   * Returns the stored project with its ID. IDs increase and are never reused: an insert that begins after another was
   * acknowledged gets the greater ID; concurrent inserts may be acknowledged in any order.
   */
  async insert(draft: ProjectDraft, createdBy: AccountId, createdAt: Instant): Promise<Project> {
    return notImplemented('projects.insert')
  },
  /** `undefined` if this account has made no such project. */
  async find(id: ProjectId, createdBy: AccountId): Promise<Project | undefined> {
    return notImplemented('projects.find')
  },
  /**
   * Projects of this account, ascending by ID, after `after`; see `PageOrder`. The cost depends only on the page, not
   * on its depth or on the projects of other accounts.
   */
  async page(createdBy: AccountId, after: ProjectId | undefined, limit: PageLimit): Promise<ProjectPage> {
    return notImplemented('projects.page')
  },
  /**
   * Closes the project at `at`, in one write; the first of several concurrent callers sets the moment. Returns the
   * project as it is then, also if it was closed before; `undefined` if this account has made no such project.
   */
  async close(id: ProjectId, createdBy: AccountId, at: Instant): Promise<Project | undefined> {
    return notImplemented('projects.close')
  },
} satisfies GivenStore['projects']

/**
 * For stateless mode: the logins that ended before their tokens, read at every request, and the current pair of tokens of
 * each login, read at every refresh.
 */
export const revocations = {
  /**
   * True if the login was revoked and the revocation has not expired, or if the account is gone, disabled or in another
   * epoch. ONE read, from an index.
   */
  async isRevoked(login: StatelessLogin, at: Instant): Promise<boolean> {
    return notImplemented('revocations.isRevoked')
  },
  /**
   * Applies `decideLoginRotation` to the login, as one compare-and-swap of one row or document: stores the pairs if
   * `rotated`, revokes the login if `replayed`, and otherwise writes nothing. Does not read the account. Any number of
   * callers, in any number of processes: exactly one with one `from` gets `rotated`, and exactly one with a spent pair
   * gets `replayed`.
   */
  async rotate(request: LoginRotationRequest): Promise<LoginRotation> {
    return notImplemented('revocations.rotate')
  },
  /**
   * When it resolves, the login is revoked until `until`, the latest end of any of its tokens, and no `rotate` succeeds.
   * `unchanged` if it was revoked until then or longer. Any number of callers with one `until`, in any number of
   * processes: exactly one gets `revoked`.
   */
  async revoke(sessionId: SessionId, until: Instant): Promise<'revoked' | 'unchanged'> {
    return notImplemented('revocations.revoke')
  },
  /** Removes revocations and pairs that have expired at `at`, at most `limit` logins; returns the number of logins. */
  async purge(at: Instant, limit: number): Promise<number> {
    return notImplemented('revocations.purge')
  },
} satisfies GivenStore['revocations']

/**
 * Counts attempts by name, such as an account or a client address. A count is forgotten when its window ends, so no
 * account is locked out for good. A power failure may lose a few counts.
 */
export const attempts = {
  /**
   * Counts an attempt under each name, or under no name if any name is at its limit. Each name has its own limit and
   * window, and is in `counts` once, the narrowest first. Any number of callers, in any number of processes, get at most
   * `limit.count` attempts per name and window, apart from refunds. A refused attempt counts for nothing.
   */
  async take(counts: readonly AttemptCount[], at: Instant): Promise<AttemptOutcome> {
    return notImplemented('attempts.take')
  },
  /**
   * Undoes the counts of an attempt, each in its window; a window that has ended stays as it is. Called once per attempt.
   */
  async refund(attempt: Attempt): Promise<void> {
    return notImplemented('attempts.refund')
  },
  /**
   * Forgets the counts under these names, and under every name that begins with one of them and a space, such as the counts of an
   * account from each network. The next attempts have the whole limit again.
   */
  async clear(names: readonly string[]): Promise<void> {
    return notImplemented('attempts.clear')
  },
  /** Removes counts whose window has ended at `at`, at most `limit` in one call; returns their number. */
  async purge(at: Instant, limit: number): Promise<number> {
    return notImplemented('attempts.purge')
  },
} satisfies GivenStore['attempts']

/** The audit log of a store: records are added and, when they are old enough, removed; only their count changes. */
export const audit = {
  /**
   * Stores the record; if a record with its `countKey` exists, only the `count` of that record grows by `record.count`.
   * Atomic: any number of callers, in any number of processes, leave one record and lose no count.
   */
  async append(record: AuditRecord): Promise<void> {
    return notImplemented('audit.append')
  },
  /**
   * By ID, which is the order of time, or in reverse, from an index: the cost depends only on the page. A record with
   * an earlier moment may be appended later, for example by another instance; see `PageOrder`.
   */
  async page(request: AuditPageRequest): Promise<readonly AuditRecord[]> {
    return notImplemented('audit.page')
  },
  /**
   * Removes the client data (`withoutClient`) from the records of the account with its own client (`isOfOwnClient`), for
   * good; everything else stays. Returns how many records it changed. It may take any number of steps: a record that is
   * appended meanwhile may keep its data. A second call is harmless.
   */
  async forget(accountId: AccountId): Promise<number> {
    return notImplemented('audit.forget')
  },
  /** Removes records older than that moment, the oldest first, at most `limit` in one call; returns their number. */
  async purge(before: Instant, limit: number): Promise<number> {
    return notImplemented('audit.purge')
  },
} satisfies GivenStore['audit']

/**
 * Mails to send, ordered by ID and kept in the store: no mail is lost if a process ends. Any number of workers in any
 * number of processes may take jobs.
 */
export const mailQueue = {
  /** Stores the job and answers `queued`; answers `full` and stores nothing if `most` jobs wait already. */
  async enqueue(job: MailJob, most: number): Promise<'queued' | 'full'> {
    return notImplemented('mailQueue.enqueue')
  },
  /**
   * The first unclaimed job that is due at `at`. It belongs to the caller until `until`, which is after `at`; meanwhile
   * other callers get other jobs. Atomic: only one caller gets a job.
   */
  async claim(at: Instant, until: Instant): Promise<MailJob | undefined> {
    return notImplemented('mailQueue.claim')
  },
  /** Unclaimed jobs that are due at `at`, with IDs above `after`, at most `limit`. Changes nothing. */
  async waiting(after: MailJobId | undefined, at: Instant, limit: number): Promise<readonly MailJob[]> {
    return notImplemented('mailQueue.waiting')
  },
  /**
   * Removes the given jobs that are not claimed at `at`, and returns their IDs. Atomic: each job goes to one caller of
   * `discard` or `claim`.
   */
  async discard(ids: readonly MailJobId[], at: Instant): Promise<readonly MailJobId[]> {
    return notImplemented('mailQueue.discard')
  },
  /** All jobs to this address, due or not and claimed or not, ordered by ID. Uses an index. */
  async listTo(email: Email): Promise<readonly MailJob[]> {
    return notImplemented('mailQueue.listTo')
  },
  /** Removes all jobs to this address, also claimed jobs that a worker may be sending; returns their number. */
  async removeTo(email: Email): Promise<number> {
    return notImplemented('mailQueue.removeTo')
  },
  /**
   * Removes a job that is done or given up. Atomic; does nothing if another caller has claimed the job since: its mail
   * may hold a newer token. A second call is harmless.
   */
  async remove(claim: MailClaim): Promise<void> {
    return notImplemented('mailQueue.remove')
  },
  /**
   * Releases the job until `dueAt` and counts one more attempt. Atomic; does nothing if the job is gone, was postponed
   * already, or another caller has claimed it since.
   */
  async postpone(claim: MailClaim, dueAt: Instant): Promise<void> {
    return notImplemented('mailQueue.postpone')
  },
} satisfies GivenStore['mailQueue']

/**
 * Second factors, at most one for each account: pending, then active. It is removed with its account. While it is active
 * the account has `secondFactor` in every answer of `Accounts` and `Sessions`, changed by the same write. It changes no
 * epoch and no session: a session names the factor that it has proved.
 */
export const secondFactors = {
  /** Starts a pending factor and replaces an earlier pending factor; an active factor stays. */
  async begin(
    id: AccountId,
    pending: { readonly sealedSecret: SealedSecret; readonly at: Instant },
  ): Promise<'begun' | 'active' | 'unknown-account'> {
    return notImplemented('secondFactors.begin')
  },
  /**
   * Activates the pending factor, in one write that succeeds only if it is not active and still has this secret. Any
   * number of callers, in any number of processes: exactly one gets `activated`.
   */
  async activate(id: AccountId, activation: SecondFactorActivation): Promise<'activated' | 'changed'> {
    return notImplemented('secondFactors.activate')
  },
  /** The factor, active or not; `undefined` if there is no factor or no account. */
  async find(id: AccountId): Promise<SecondFactor | undefined> {
    return notImplemented('secondFactors.find')
  },
  /**
   * Stores the step of a correct code if it is greater than every stored step; otherwise `spent`, also if no factor is
   * active, or a factor of another time. Any number of callers with one step: exactly one gets `taken`.
   */
  async takeStep(id: AccountId, taken: TakenStep): Promise<'taken' | 'spent'> {
    return notImplemented('secondFactors.takeStep')
  },
  /**
   * Removes a recovery code of the active factor. Any number of callers with one digest, in any number of processes:
   * exactly one gets `taken`.
   */
  async takeRecovery(id: AccountId, digest: RecoveryDigest): Promise<'taken' | 'unknown'> {
    return notImplemented('secondFactors.takeRecovery')
  },
  /**
   * Uses up the code as `takeStep` or `takeRecovery` does, and replaces all recovery codes in the same write. `spent`,
   * and nothing changes, if the code is spent or no factor is active. Any number of callers with one code: exactly one
   * gets `renewed`.
   */
  async renewRecovery(id: AccountId, renewal: RecoveryRenewal): Promise<'renewed' | 'spent'> {
    return notImplemented('secondFactors.renewRecovery')
  },
  /** Compare-and-swap of the sealed secret, for another sealing of the same secret. */
  async reseal(id: AccountId, before: SealedSecret, next: SealedSecret): Promise<'resealed' | 'changed'> {
    return notImplemented('secondFactors.reseal')
  },
  /**
   * Removes the factor, active or not, with its recovery codes; exactly one caller gets `removed`.
   */
  async remove(id: AccountId): Promise<'removed' | 'unknown'> {
    return notImplemented('secondFactors.remove')
  },
} satisfies GivenStore['secondFactors']

/** The whole content of a store, for copying it into another store. IDs keep their meaning. */
export const copyableRecords = {
  /** A name that no other store has, given by the first call. */
  async identity(): Promise<string> {
    return notImplemented('copyableRecords.identity')
  },
  /**
   * Equal to an earlier answer of the same object if nothing was written in between. It differs if any call of any port,
   * in this process or another process, has changed something and was acknowledged. Counts of attempts do not matter.
   * It may change without a write, for example when a primary is lost.
   */
  async changeToken(): Promise<string> {
    return notImplemented('copyableRecords.changeToken')
  },
  /** The number of records of a kind; ended and revoked records count too. */
  async count(kind: RecordKind): Promise<number> {
    return notImplemented('copyableRecords.count')
  },
  /**
   * Records of a kind in the order of their IDs (keys, names; scope and key), after `after`, at
   * most `limit`. Ended sessions and revoked keys are among them.
   */
  async page<Kind extends RecordKind>(
    kind: Kind,
    after: RecordOf[Kind] | undefined,
    limit: number,
  ): Promise<readonly RecordOf[Kind][]> {
    return notImplemented('copyableRecords.page')
  },
  /**
   * Inserts each record, or replaces the record that has its ID. A second call is harmless. `contradicted` if a record
   * has a value that must be unique (an email, a digest) or names an unknown role;
   * then this record and any of the others may be missing.
   */
  async put<Kind extends RecordKind>(
    kind: Kind,
    records: readonly RecordOf[Kind][],
  ): Promise<'put' | 'contradicted'> {
    return notImplemented('copyableRecords.put')
  },
  /** Removes the records with the IDs of these records, counters too. A missing record is no error. */
  async remove<Kind extends RecordKind>(kind: Kind, records: readonly RecordOf[Kind][]): Promise<void> {
    return notImplemented('copyableRecords.remove')
  },
  /** Atomic: only the first of two copies into one empty store begins. `source` is the identity of the other store. */
  async claim(source: string): Promise<CopyClaim> {
    return notImplemented('copyableRecords.claim')
  },
  /** Marks the copy of that source as complete. */
  async complete(source: string): Promise<void> {
    return notImplemented('copyableRecords.complete')
  },
} satisfies GivenStore['copyableRecords']

/** The store for `openKennel({ store })`; it also works as a module for `STORE_MODULE`. */
export function openStore(): GivenStore {
  return {
    accounts,
    sessions,
    pets,
    roles,
    apiKeys,
    projects,
    revocations,
    attempts,
    audit,
    mailQueue,
    secondFactors,
    copyableRecords,
    /** Resolves while the store answers; otherwise rejects with `unavailable`. */
    async ready(): Promise<void> {
      return notImplemented('store.ready')
    },
    /** Waits for running calls; every later call is `unavailable`. A second call is harmless. */
    async close(): Promise<void> {
      return notImplemented('store.close')
    },
  }
}
