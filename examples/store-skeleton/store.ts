// A store skeleton, generated from Kennel's ports. The comment of each call states its promise, which the laws of
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
  KeyDigest,
  LoginRotation,
  LoginRotationRequest,
  MailClaim,
  MailJob,
  MailJobId,
  NewAccount,
  NewApiKey,
  PageOrder,
  Passkey,
  PasskeyId,
  PasskeyName,
  PasskeyUse,
  PasswordChange,
  PetInsertion,
  PetPatch,
  PetRemoval,
  Proof,
  ProofDigest,
  ProofId,
  ProofPurpose,
  ProofRenewal,
  ProofUse,
  ProvenAccount,
  ProvenInsertion,
  RecordKind,
  RecordOf,
  RecoveryDigest,
  RecoveryRenewal,
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

/** Accounts. IDs are positive integers that increase and are never reused, even after `remove`. Results are copies or deeply frozen. */
export const accounts = {
  /**
   * Atomic for each email: only one concurrent insert of an email returns `inserted`; a unique index of the store decides. A new account
   * has epoch 1 and the requested roles. All or nothing, even if the process is killed: for example, if a role is unknown, no account is
   * inserted. Returns `duplicate-email`, regardless of the roles, if an account has the email as its `email` or `sharedEmail`.
   */
  async insert(account: NewAccount): Promise<AccountInsertion> {
    return notImplemented('accounts.insert')
  },
  /**
   * Returns the account with the canonical `email`, with its roles, in one read; `undefined` if there is no such account. If several
   * accounts have the email as `sharedEmail`, returns the account whose own `email` is `former`, the entered email in the form that
   * releases up to 0.7.0 stored. If only one account has this `sharedEmail`, returns that account.
   */
  async findByEmail(email: Email, former?: Email): Promise<Account | undefined> {
    return notImplemented('accounts.findByEmail')
  },
  /** Returns the account with its roles, in one read; `undefined` if there is no such account. */
  async find(id: AccountId): Promise<Account | undefined> {
    return notImplemented('accounts.find')
  },
  /**
   * Returns those accounts whose IDs are in `ids`, with their roles, ordered by ID, without duplicates. Reads the store once; the cost
   * depends on the number of IDs.
   */
  // Optional: without this call, Kennel uses other calls.
  async findMany(ids: readonly AccountId[]): Promise<readonly Account[]> {
    return notImplemented('accounts.findMany')
  },
  /**
   * Returns at most `limit` accounts: with IDs above `after`, ascending, or, for newest first, with IDs below `after`, descending. See
   * `PageOrder`. The cost depends only on the size of the page.
   */
  async page(after: AccountId | undefined, limit: number, order?: PageOrder): Promise<readonly Account[]> {
    return notImplemented('accounts.page')
  },
  /**
   * Returns at most `limit` accounts that match all filters, ordered by email (compared by code unit or by code
   * point). Uses an index for every combination of filters, so that the cost depends only on the size of the page.
   */
  async search(search: AccountSearch): Promise<readonly Account[]> {
    return notImplemented('accounts.search')
  },
  /**
   * Replaces the hash with a new hash of the same password. Compare-and-swap: writes only if the hash is still `expected`, so that a
   * concurrent password change wins. Does not change the epoch.
   */
  async replaceHash(
    id: AccountId,
    expected: PasswordHash,
    next: PasswordHash,
  ): Promise<'replaced' | 'changed'> {
    return notImplemented('accounts.replaceHash')
  },
  /**
   * Sets a new password and increments the epoch in one write; this write ends every earlier session and refresh token, but none that is
   * created later (see `Sessions.endAllOf`).
   */
  async setPassword(id: AccountId, hash: PasswordHash): Promise<'set' | 'unknown'> {
    return notImplemented('accounts.setPassword')
  },
  /**
   * Like `setPassword`, but in one write that succeeds only if the hash is still `expected` and the account is enabled. Only one concurrent
   * caller with the same `expected` gets the new epoch, even across processes.
   */
  async changePassword(change: PasswordChange): Promise<Epoch | undefined> {
    return notImplemented('accounts.changePassword')
  },
  /**
   * Sets a new email and increments the epoch in one write, which ends every earlier session and refresh token. Also removes `sharedEmail`.
   * Returns `email-taken` and changes nothing if another account has the email as its `email` or `sharedEmail`; a unique index of the store
   * decides between concurrent callers.
   */
  async changeEmail(change: EmailChange): Promise<'changed' | 'email-taken' | 'unknown'> {
    return notImplemented('accounts.changeEmail')
  },
  /**
   * Disables (with an instant) or enables (with `undefined`) the account and increments the epoch, in one write. Returns `unchanged` and
   * keeps the time and the epoch if the account is already in that state; enabling an enabled account ends no session. With `since`, enables
   * the account, or changes the time at which it was disabled, only if it was disabled at exactly that time; otherwise returns `unchanged`.
   */
  async setDisabled(
    id: AccountId,
    at: Instant | undefined,
    since?: Instant,
  ): Promise<'set' | 'unchanged' | 'unknown'> {
    return notImplemented('accounts.setDisabled')
  },
  /**
   * Removes the account with its role assignments, proofs, second factor and sessions, but not its projects and pets. If an epoch is given,
   * removes the account only if its epoch is unchanged, in one atomic step. This way, a proof issued before a password change cannot remove
   * the account. Only one concurrent caller gets `removed`, even across processes.
   */
  async remove(id: AccountId, epoch?: Epoch): Promise<'removed' | 'unknown'> {
    return notImplemented('accounts.remove')
  },
} satisfies GivenStore['accounts']

/**
 * Login sessions. A session is active at `at` if `at` is before the absolute expiry of the session and the idle expiry of its current
 * generation, and if its account exists, is not disabled and has the epoch of the session. If the session has an actor, the actor's account
 * must also exist, not be disabled and have the epoch of the actor. No call returns inactive sessions. The store keeps only digests of
 * keys. Results are copies, or deeply frozen; a frozen object may be returned again until its data changes.
 */
export const sessions = {
  /**
   * Stores the session of a login; the session's ID and digest are random and therefore unique. Stores nothing if the session would not be
   * active because of its account or its actor's account, for example because the account was just removed.
   */
  async open(session: Session): Promise<void> {
    return notImplemented('sessions.open')
  },
  /**
   * Like `open`, but for an account that may have at most `max` sessions (`max` is at least 1). Also ends other sessions of the account
   * that are active at the `createdAt` of this session, the oldest first (by `createdAt`, then `id`), until at most `max` sessions remain.
   * Sessions with an actor are neither counted nor ended. Concurrent calls may end each other's sessions: when all calls have returned,
   * exactly `max` sessions are active. Returns the number of ended sessions.
   */
  async openWithLimit(session: Session, max: number): Promise<number> {
    return notImplemented('sessions.openWithLimit')
  },
  /**
   * Returns the active session whose current key is this key, or whose previous key is this key if `at` is before `previous.until`. The
   * result includes the account and its roles and, if the session has an actor, the actor's roles. ONE read.
   */
  async find(keyDigest: KeyDigest, at: Instant): Promise<ActiveSession | undefined> {
    return notImplemented('sessions.find')
  },
  /** Like `find`, but by session ID. ONE read. */
  async findById(id: SessionId, at: Instant): Promise<ActiveSession | undefined> {
    return notImplemented('sessions.findById')
  },
  /**
   * Returns at most `limit` active sessions of an account, ordered by `createdAt`, then `id` (by code unit). Uses an index, so that the
   * cost depends only on the size of the page and on the number of inactive sessions.
   */
  async pageOf(request: SessionPageRequest): Promise<readonly Session[]> {
    return notImplemented('sessions.pageOf')
  },
  /**
   * Applies `decideRotation` to the active session, as one compare-and-swap of one row or document. For `rotated`, stores the session, with
   * `proved` and `factor` from a `confirmation`; for `replayed`, removes the session; otherwise writes nothing. Without a grace period, no
   * process accepts the previous generation, even if its clock is slow. Only one concurrent caller with the same `from` gets `rotated`,
   * even across processes.
   */
  async rotate(request: RotationRequest): Promise<Rotation> {
    return notImplemented('sessions.rotate')
  },
  /** Once the call resolves, `find` no longer finds the session and no `rotate` succeeds. A second call is harmless. */
  async end(id: SessionId): Promise<'ended' | 'unknown'> {
    return notImplemented('sessions.end')
  },
  /** Like `end`, but returns `unknown` and does nothing if the session belongs to another account. */
  async endOne(accountId: AccountId, id: SessionId): Promise<'ended' | 'unknown'> {
    return notImplemented('sessions.endOne')
  },
  /**
   * Ends the account's sessions and the sessions in which the account is the actor, except `keep`. Ends every session that existed when
   * the call began, and no session opened after the call's first effect became visible. Does not change the epoch. Returns how many of the
   * ended sessions were active at `at`; concurrent calls count each session once.
   */
  async endOthers(accountId: AccountId, keep: SessionId, at: Instant): Promise<number> {
    return notImplemented('sessions.endOthers')
  },
  /**
   * Ends all sessions of the account, and the sessions in which the account is the actor, at one point in time. One write increments the
   * epoch of the account and changes nothing else in the account. Once the call resolves, every session and refresh token of an older epoch
   * is invalid. Sessions of the new epoch remain, even if they were opened before the call resolved. Returns the number of ended sessions
   * of the account itself, or `undefined` if there is no such account. `Accounts.setPassword`, `Accounts.setDisabled` and
   * `Proofs.resetPassword` end sessions in the same way.
   */
  async endAllOf(accountId: AccountId): Promise<number | undefined> {
    return notImplemented('sessions.endAllOf')
  },
  /**
   * Removes at most `limit` sessions that have expired by `at`, the oldest first; returns the number removed. May return early if the signal
   * is aborted; a store that reads more sessions than it removes should return early.
   */
  async purge(at: Instant, limit: number, signal?: AbortSignal): Promise<number> {
    return notImplemented('sessions.purge')
  },
} satisfies GivenStore['sessions']

/** The catalogue of pets. Results are copies or deeply frozen, and arguments are copied. */
export const pets = {
  /**
   * IDs increase and are never reused. An insert that begins after another insert was acknowledged gets a greater ID; concurrent inserts
   * may be acknowledged in any order. Atomic for each idempotency key: any number of callers with the same key insert only one pet.
   */
  async insert(draft: PetDraft, idempotency?: Idempotency): Promise<PetInsertion> {
    return notImplemented('pets.insert')
  },
  /** Returns `undefined` if the pet does not exist. */
  async find(id: PetId): Promise<Pet | undefined> {
    return notImplemented('pets.find')
  },
  /** Returns the pets with these IDs, ordered by ID, without duplicates. Reads the store once; the cost depends on the number of IDs. */
  // Optional: without this call, Kennel uses other calls.
  async findMany(ids: readonly PetId[]): Promise<readonly Pet[]> {
    return notImplemented('pets.findMany')
  },
  /** Returns pets with IDs above `after`, ascending; see `PageOrder`. The cost depends only on the size of the page. */
  async page(after: PetId | undefined, limit: PageLimit): Promise<PetPage> {
    return notImplemented('pets.page')
  },
  /**
   * Merges the change (`changeTraits`) into the pet and increments the revision, in one write. `null` removes a trait, and a pet without
   * traits has no `traits`. If `expected` is given, changes the pet only if its revision is in this list. Only one concurrent caller that
   * expects the same revision gets `patched`.
   */
  async patch(id: PetId, change: TraitsChange, expected?: readonly Revision[]): Promise<PetPatch> {
    return notImplemented('pets.patch')
  },
  /**
   * Removes the pet, in one write; if `expected` is given, removes the pet only if its revision is in this list. Only one concurrent
   * removal or patch that expects the same revision succeeds. Keeps the idempotency key of the pet, so a repeated insertion still returns
   * `repeated`.
   */
  async remove(id: PetId, expected?: readonly Revision[]): Promise<PetRemoval> {
    return notImplemented('pets.remove')
  },
  /** Removes at most `limit` idempotency keys whose `until` is not after `at`; returns the number removed. */
  async purgeIdempotencyKeys(at: Instant, limit: number): Promise<number> {
    return notImplemented('pets.purgeIdempotencyKeys')
  },
} satisfies GivenStore['pets']

/** Roles and their assignments to accounts. */
export const roles = {
  /** Atomic for each role key. */
  async insert(role: Role): Promise<'inserted' | 'duplicate-key'> {
    return notImplemented('roles.insert')
  },
  /** Returns all roles, sorted by key. */
  async list(): Promise<readonly Role[]> {
    return notImplemented('roles.list')
  },
  /**
   * Removes a role; returns `held` if the role is assigned to an account, or to an API key that is valid at `at`. API keys that are revoked
   * or expired lose the role. Atomic: a removal and a concurrent assignment of the role cannot both succeed.
   */
  async remove(key: RoleKey, at: Instant): Promise<'removed' | 'held' | 'unknown'> {
    return notImplemented('roles.remove')
  },
  /** Any number of concurrent calls create only one assignment. */
  async assign(
    email: Email,
    key: RoleKey,
  ): Promise<'assigned' | 'already-assigned' | 'unknown-account' | 'unknown-role'> {
    return notImplemented('roles.assign')
  },
  /** The change takes effect at the next read of the account or of its sessions. */
  async unassign(
    email: Email,
    key: RoleKey,
  ): Promise<'unassigned' | 'not-assigned' | 'unknown-account' | 'unknown-role'> {
    return notImplemented('roles.unassign')
  },
} satisfies GivenStore['roles']

/** API keys. A store keeps only the digests of API keys. IDs increase and are never reused. */
export const apiKeys = {
  /** All or nothing: if a role is unknown, no key is inserted. */
  async insert(
    key: NewApiKey,
  ): Promise<
    | { readonly kind: 'inserted'; readonly id: ApiKeyId }
    | { readonly kind: 'unknown-role'; readonly role: RoleKey }
  > {
    return notImplemented('apiKeys.insert')
  },
  /**
   * Returns the key with its roles, in one read, or `undefined` if the key is unknown, revoked, or expired at `at`, or if the account that
   * created it is disabled or does not exist. A frozen result may be returned again as long as its data and the account have not changed,
   * but each call checks the expiry.
   */
  async find(digest: ApiKeyDigest, at: Instant): Promise<ApiKey | undefined> {
    return notImplemented('apiKeys.find')
  },
  /**
   * Returns at most `limit` keys with IDs above `after`, ordered by ID, even if revoked or expired. The cost depends only on the size of the
   * page.
   */
  async page(after: ApiKeyId | undefined, limit: number): Promise<readonly ApiKey[]> {
    return notImplemented('apiKeys.page')
  },
  /**
   * Stores `at` as the last use, unless a later use is stored. Called at most once an hour by each process, and no
   * request waits for it, so a lost write does no harm. Ignores unknown keys.
   */
  async recordUse(id: ApiKeyId, at: Instant): Promise<void> {
    return notImplemented('apiKeys.recordUse')
  },
  /** Once the call resolves, `find` no longer finds the key. */
  async revoke(id: ApiKeyId, at: Instant): Promise<'revoked' | 'already-revoked' | 'unknown'> {
    return notImplemented('apiKeys.revoke')
  },
  /**
   * Revokes every key that this account created, whether or not the account exists. Keys that are already revoked keep their revocation
   * date. Once the call resolves, `find` finds none of the keys, even after the account is enabled again.
   */
  // Optional: without this call, Kennel uses other calls.
  async revokeAllOf(accountId: AccountId, at: Instant): Promise<void> {
    return notImplemented('apiKeys.revokeAllOf')
  },
} satisfies GivenStore['apiKeys']

/** Projects. Each project belongs to one account, and is kept when the account is removed. Arguments and results are copied. */
export const projects = {
  /**
   * Returns the stored project with its ID. IDs increase and are never reused. An insert that begins after another insert was acknowledged
   * gets a greater ID; concurrent inserts may be acknowledged in any order.
   */
  async insert(draft: ProjectDraft, createdBy: AccountId, createdAt: Instant): Promise<Project> {
    return notImplemented('projects.insert')
  },
  /** Returns `undefined` if this account has not created a project with this ID. */
  async find(id: ProjectId, createdBy: AccountId): Promise<Project | undefined> {
    return notImplemented('projects.find')
  },
  /** Returns projects of this account with IDs above `after`, ascending; see `PageOrder`. The cost depends only on the size of the page. */
  async page(createdBy: AccountId, after: ProjectId | undefined, limit: PageLimit): Promise<ProjectPage> {
    return notImplemented('projects.page')
  },
  /**
   * Closes the project at `at`, in one write; the first of several concurrent callers sets the time. Returns the closed project, even if it
   * was closed before; returns `undefined` if this account has not created a project with this ID.
   */
  async close(id: ProjectId, createdBy: AccountId, at: Instant): Promise<Project | undefined> {
    return notImplemented('projects.close')
  },
} satisfies GivenStore['projects']

/** Stateless mode: revoked logins, read on every request, and the current token pair of each login, read on every refresh. */
export const revocations = {
  /** Resolves with `true` if the login is revoked at `at`, or if its account is deleted, is disabled or has a new epoch. One indexed read. */
  async isRevoked(login: StatelessLogin, at: Instant): Promise<boolean> {
    return notImplemented('revocations.isRevoked')
  },
  /**
   * Applies `decideLoginRotation` to the login, as one compare-and-swap of one row or document. For `rotated`, stores the pairs; for
   * `replayed`, revokes the login; otherwise writes nothing. Does not read the account. Even across processes, only one concurrent caller
   * with the same `from` gets `rotated`, and only one concurrent caller with a used pair gets `replayed`.
   */
  async rotate(request: LoginRotationRequest): Promise<LoginRotation> {
    return notImplemented('revocations.rotate')
  },
  /**
   * Revokes the login until `until`, the time when its last token expires; no later `rotate` succeeds. Returns `unchanged` if the login
   * was already revoked until `until` or longer. Only one concurrent caller with the same `until` gets `revoked`, even across processes.
   */
  async revoke(sessionId: SessionId, until: Instant): Promise<'revoked' | 'unchanged'> {
    return notImplemented('revocations.revoke')
  },
  /** Removes at most `limit` logins whose revocation or pairs have expired by `at`; returns the number removed. */
  async purge(at: Instant, limit: number): Promise<number> {
    return notImplemented('revocations.purge')
  },
} satisfies GivenStore['revocations']

/**
 * Counts attempts by name, such as an account or a client address. A count is deleted when its window ends, so no
 * account is locked permanently. A power failure may lose a few counts.
 */
export const attempts = {
  /**
   * Counts an attempt under each name, or under none if any name is at its limit. Each name has its own limit and window and occurs only
   * once in `counts`; the narrowest limit comes first. Any number of callers, in any number of processes, get at most `limit.count`
   * attempts per name and window, apart from refunds. Refused attempts are not counted.
   */
  async take(counts: readonly AttemptCount[], at: Instant): Promise<AttemptOutcome> {
    return notImplemented('attempts.take')
  },
  /** Removes the attempt from each window that counted it and is still open. Called once per attempt. */
  async refund(attempt: Attempt): Promise<void> {
    return notImplemented('attempts.refund')
  },
  /**
   * Deletes the counts with these names, and all counts whose names begin with one of these names and a space, such as the counts of an
   * account from each network. Afterwards, the full limit is available again.
   */
  async clear(names: readonly string[]): Promise<void> {
    return notImplemented('attempts.clear')
  },
  /** Removes at most `limit` counts whose window has ended by `at`; returns the number removed. */
  async purge(at: Instant, limit: number): Promise<number> {
    return notImplemented('attempts.purge')
  },
} satisfies GivenStore['attempts']

/** The audit log of a store. After a record is added, only its `count` can change until the record is removed. */
export const audit = {
  /**
   * Stores the record. If a record with the same `countKey` exists, the call only adds `record.count` to the `count` of the existing record.
   * Atomic: concurrent calls, even from several processes, leave one record and lose no counts.
   */
  async append(record: AuditRecord): Promise<void> {
    return notImplemented('audit.append')
  },
  /**
   * Returns records in the order of their IDs, which is chronological, or in reverse order. Uses an index, so that the cost depends only on
   * the size of the page. Another instance may later append a record with an earlier time; see `PageOrder`.
   */
  async page(request: AuditPageRequest): Promise<readonly AuditRecord[]> {
    return notImplemented('audit.page')
  },
  /**
   * Permanently removes the client's data (`withoutClient`) from the account's records, but only if the client was the account's own
   * (`isOfOwnClient`). Returns the number of changed records. Need not be atomic: a record that is appended in the meantime may keep the
   * client's data. A second call is harmless.
   */
  async forget(accountId: AccountId): Promise<number> {
    return notImplemented('audit.forget')
  },
  /** Removes at most `limit` records older than `before`, the oldest first; returns the number removed. */
  async purge(before: Instant, limit: number): Promise<number> {
    return notImplemented('audit.purge')
  },
} satisfies GivenStore['audit']

/**
 * A queue of emails, ordered by ID. The queue is part of the store, so that no email is lost if a process ends. Any number of workers in
 * any number of processes may claim jobs.
 */
export const mailQueue = {
  /** Stores the job, or returns `full` if `max` jobs are already waiting. */
  async enqueue(job: MailJob, max: number): Promise<'queued' | 'full'> {
    return notImplemented('mailQueue.enqueue')
  },
  /**
   * Claims the first unclaimed job that is due at `at`. The claim lasts until `until`, which is after `at`; during that time, other callers
   * get other jobs. Atomic: only one caller gets a job.
   */
  async claim(at: Instant, until: Instant): Promise<MailJob | undefined> {
    return notImplemented('mailQueue.claim')
  },
  /** Returns at most `limit` unclaimed jobs that are due at `at`, with IDs above `after`. Changes nothing. */
  async waiting(after: MailJobId | undefined, at: Instant, limit: number): Promise<readonly MailJob[]> {
    return notImplemented('mailQueue.waiting')
  },
  /** Removes the listed jobs that are not claimed at `at`, and returns their IDs. Only one caller of `discard` or `claim` gets each job. */
  async discard(ids: readonly MailJobId[], at: Instant): Promise<readonly MailJobId[]> {
    return notImplemented('mailQueue.discard')
  },
  /** Returns all jobs for this address, including claimed and future jobs, ordered by ID. Uses an index. */
  async listTo(email: Email): Promise<readonly MailJob[]> {
    return notImplemented('mailQueue.listTo')
  },
  /** Removes all jobs for this address, including claimed jobs that a worker may be sending; returns the number of removed jobs. */
  async removeTo(email: Email): Promise<number> {
    return notImplemented('mailQueue.removeTo')
  },
  /**
   * Removes a job that has succeeded or been abandoned. Atomic; does nothing if another caller has claimed the job in the meantime, because
   * the email of the newer claim may contain a newer token. A second call is harmless.
   */
  async remove(claim: MailClaim): Promise<void> {
    return notImplemented('mailQueue.remove')
  },
  /**
   * Releases the job, makes it due at `dueAt` and counts an attempt. Atomic; does nothing if the job was removed, was already postponed, or
   * has been claimed by another caller in the meantime.
   */
  async postpone(claim: MailClaim, dueAt: Instant): Promise<void> {
    return notImplemented('mailQueue.postpone')
  },
} satisfies GivenStore['mailQueue']

/**
 * Second factors. An account has at most one second factor, which starts as pending, becomes active, and is removed with the account. While
 * the factor is active, the account has `secondFactor` in every result of `Accounts` and `Sessions`; the same write changes both. No call
 * changes the epoch or a session; a session records the second factor that was used for its login.
 */
export const secondFactors = {
  /** Starts a pending factor, which replaces an earlier pending factor but not an active one. */
  async begin(
    id: AccountId,
    pending: { readonly sealedSecret: SealedSecret; readonly at: Instant },
  ): Promise<'begun' | 'active' | 'unknown-account'> {
    return notImplemented('secondFactors.begin')
  },
  /**
   * Activates the pending factor, in one write that succeeds only if the factor is not active and still has this secret. Only one
   * concurrent caller gets `activated`, even across processes.
   */
  async activate(id: AccountId, activation: SecondFactorActivation): Promise<'activated' | 'changed'> {
    return notImplemented('secondFactors.activate')
  },
  /** Returns the factor, active or pending, or `undefined` if the account has no factor or does not exist. */
  async find(id: AccountId): Promise<SecondFactor | undefined> {
    return notImplemented('secondFactors.find')
  },
  /**
   * Stores the step of a correct code if it is greater than the stored step. Otherwise returns `spent`. Also returns `spent` if no factor
   * is active, or if the active factor was confirmed at a different time. Only one concurrent caller with the same step gets `taken`.
   */
  async takeStep(id: AccountId, taken: TakenStep): Promise<'taken' | 'spent'> {
    return notImplemented('secondFactors.takeStep')
  },
  /** Removes a recovery code of the active factor. Only one concurrent caller with the same digest gets `taken`, even across processes. */
  async takeRecovery(id: AccountId, digest: RecoveryDigest): Promise<'taken' | 'unknown'> {
    return notImplemented('secondFactors.takeRecovery')
  },
  /**
   * Uses up the code like `takeStep` or `takeRecovery`, and replaces all recovery codes in the same write. Returns `spent` and changes
   * nothing if the code was used or no factor is active. Only one concurrent caller with the same code gets `renewed`.
   */
  async renewRecovery(id: AccountId, renewal: RecoveryRenewal): Promise<'renewed' | 'spent'> {
    return notImplemented('secondFactors.renewRecovery')
  },
  /** Replaces the encrypted secret with the same secret, encrypted again. Compare-and-swap. */
  async reseal(id: AccountId, before: SealedSecret, next: SealedSecret): Promise<'resealed' | 'changed'> {
    return notImplemented('secondFactors.reseal')
  },
  /** Removes the factor, active or pending, with its recovery codes; exactly one caller gets `removed`. */
  async remove(id: AccountId): Promise<'removed' | 'unknown'> {
    return notImplemented('secondFactors.remove')
  },
} satisfies GivenStore['secondFactors']

/**
 * Passkeys. The passkeys of an account are removed with the account, in the same write. No call changes the epoch or a session. Results are
 * copies or deeply frozen.
 */
export const passkeys = {
  /**
   * Adds a passkey. Adds nothing and returns the first reason that applies: `changed` if the account does not exist, is disabled or has
   * another epoch; `full` if it has `PASSKEYS_MAX` passkeys; `taken` if any account has a passkey with this ID. Atomic: concurrent callers
   * never exceed the maximum, and after a call that increments the epoch has returned, no call with the previous epoch adds a passkey.
   */
  async add(passkey: Passkey, epoch: Epoch): Promise<'added' | 'taken' | 'full' | 'changed'> {
    return notImplemented('passkeys.add')
  },
  /** Returns the passkey with this ID, or `undefined`. */
  async find(id: PasskeyId): Promise<Passkey | undefined> {
    return notImplemented('passkeys.find')
  },
  /** Returns all passkeys of the account, ordered by `createdAt` and then by ID. */
  async listOf(accountId: AccountId): Promise<readonly Passkey[]> {
    return notImplemented('passkeys.listOf')
  },
  /**
   * Stores the counter, the backup state and the time of a use, if the counter is greater than the stored counter or if both are 0.
   * Otherwise changes nothing and returns `rewound`: the authenticator may be a clone (WebAuthn Level 3, 6.1.1). Only one of any number of
   * concurrent callers with the same counter above 0 gets `used`.
   */
  async use(id: PasskeyId, use: PasskeyUse): Promise<'used' | 'rewound' | 'unknown'> {
    return notImplemented('passkeys.use')
  },
  /** Renames a passkey of this account. */
  async rename(accountId: AccountId, id: PasskeyId, name: PasskeyName): Promise<'renamed' | 'unknown'> {
    return notImplemented('passkeys.rename')
  },
  /**
   * Removes a passkey of this account; only one concurrent caller gets `removed`. Returns `last-way` and removes nothing if the account has
   * neither a password nor another passkey. If two concurrent callers remove the last two passkeys of an account without a password, one
   * of them gets `last-way`.
   */
  async remove(accountId: AccountId, id: PasskeyId): Promise<'removed' | 'last-way' | 'unknown'> {
    return notImplemented('passkeys.remove')
  },
} satisfies GivenStore['passkeys']

/**
 * Email proofs. A proof is valid if it is unexpired and, if it has an epoch, its account is enabled and still has this epoch. Of the
 * `reset-password` proofs of an account that have its epoch, only the last `RESET_PROOFS_MAX` by `until` and then by ID are valid. Only one
 * of any number of concurrent callers uses up a proof, even across processes; all others get `spent`, as for an unknown digest. Results are
 * copies or deeply frozen.
 */
export const proofs = {
  /** Stores the proof, unless the proof's account does not exist. Replaces a proof with the same ID. */
  async issue(proof: Proof): Promise<void> {
    return notImplemented('proofs.issue')
  },
  /**
   * Replaces the secrets of a proof, sets `attempts` to 0, and returns the proof. Returns `undefined` if the proof was used up or removed,
   * and does not make it valid again.
   */
  async renew(renewal: ProofRenewal): Promise<Proof | undefined> {
    return notImplemented('proofs.renew')
  },
  /** Returns the proof with this digest if it is valid at this time. Changes nothing. */
  async find(use: ProofUse): Promise<Proof | undefined> {
    return notImplemented('proofs.find')
  },
  /**
   * Counts an attempt to guess the code of the valid proof with this binding, and returns the proof. Returns `undefined` if there is no
   * such proof, or if its code was tried `CODE_ATTEMPTS_MAX` times before. Atomic: at most `CODE_ATTEMPTS_MAX` concurrent callers get the
   * proof.
   */
  async attempt(binding: ProofDigest, at: Instant): Promise<Proof | undefined> {
    return notImplemented('proofs.attempt')
  },
  /** Uses up a valid proof with the purpose `login`. */
  async consume(use: ProofUse): Promise<'consumed' | 'spent'> {
    return notImplemented('proofs.consume')
  },
  /** Uses up a valid sign-up or invitation proof, and inserts the account, in one atomic change. See `Accounts.insert`. */
  async createAccount(proven: ProvenAccount): Promise<ProvenInsertion> {
    return notImplemented('proofs.createAccount')
  },
  /**
   * Uses up a valid email-change proof, sets its account's email, increments the epoch, and stores `undo`, all in one atomic change. With
   * the proof `undo`, the previous email can be restored. If the email is taken, only the proof is used up. See `Accounts.changeEmail`.
   */
  async changeEmail(use: ProofUse, undo: Proof): Promise<'changed' | 'email-taken' | 'spent'> {
    return notImplemented('proofs.changeEmail')
  },
  /**
   * Uses up a valid proof that restores the account's previous email. Also uses up every proof that could undo a later change, so that a
   * thief cannot take the account back. Sets the email and increments the epoch, unless the email is taken.
   */
  async undoEmail(use: ProofUse): Promise<'changed' | 'email-taken' | 'spent'> {
    return notImplemented('proofs.undoEmail')
  },
  /**
   * Uses up a valid password-reset proof, sets its account's password, and increments the epoch, in one atomic change. Also removes all
   * other `reset-password` proofs of the account. Returns the account's ID. See `Accounts.setPassword`.
   */
  async resetPassword(use: ProofUse, hash: PasswordHash): Promise<AccountId | 'spent'> {
    return notImplemented('proofs.resetPassword')
  },
  /** Returns the proof with this ID, even if it is invalid. */
  async get(id: ProofId): Promise<Proof | undefined> {
    return notImplemented('proofs.get')
  },
  /** Returns at most `limit` proofs with the given purpose and IDs above `after`, ordered by ID, including expired proofs. */
  async page(purpose: ProofPurpose, after: ProofId | undefined, limit: number): Promise<readonly Proof[]> {
    return notImplemented('proofs.page')
  },
  /** Returns all proofs of the account, including invalid proofs, ordered by ID. */
  async listOf(accountId: AccountId): Promise<readonly Proof[]> {
    return notImplemented('proofs.listOf')
  },
  /** Removes a proof. Only one concurrent caller gets `removed`; a removal and a call that uses up the proof never both succeed. */
  async remove(id: ProofId, at: Instant): Promise<'removed' | 'unknown'> {
    return notImplemented('proofs.remove')
  },
  /** Removes at most `limit` proofs that have expired by `at`; returns the number removed. */
  async purge(at: Instant, limit: number): Promise<number> {
    return notImplemented('proofs.purge')
  },
} satisfies GivenStore['proofs']

/** The complete content of a store, for copying it to another store. Records keep their IDs. */
export const copyableRecords = {
  /** Returns a unique name for this store; the first call assigns the name. */
  async identity(): Promise<string> {
    return notImplemented('copyableRecords.identity')
  },
  /**
   * Returns the same value as an earlier call on the same object if nothing was written between the two calls. Returns a different value if
   * any acknowledged call of any port, in any process, has changed anything other than attempt counts. The value may also change without a
   * write, for example after a failover of the database.
   */
  async changeToken(): Promise<string> {
    return notImplemented('copyableRecords.changeToken')
  },
  /** Returns the number of records of a kind, including ended and revoked records. */
  async count(kind: RecordKind): Promise<number> {
    return notImplemented('copyableRecords.count')
  },
  /**
   * Returns at most `limit` records of a kind after `after`, including ended sessions and revoked keys, in the order of their IDs (or keys,
   * names, or scope and key).
   */
  async page<Kind extends RecordKind>(
    kind: Kind,
    after: RecordOf[Kind] | undefined,
    limit: number,
  ): Promise<readonly RecordOf[Kind][]> {
    return notImplemented('copyableRecords.page')
  },
  /**
   * Inserts each record, or replaces the record with the same ID. A second call is harmless. Returns `contradicted` if a unique value of a
   * record (an email, a digest, the ID of a passkey) already exists, or if the role of a record does not exist. After `contradicted`, some
   * of the records may have been written.
   */
  async put<Kind extends RecordKind>(
    kind: Kind,
    records: readonly RecordOf[Kind][],
  ): Promise<'put' | 'contradicted'> {
    return notImplemented('copyableRecords.put')
  },
  /** Removes the records, including counters, that have the same IDs as the given records. Ignores missing records. */
  async remove<Kind extends RecordKind>(kind: Kind, records: readonly RecordOf[Kind][]): Promise<void> {
    return notImplemented('copyableRecords.remove')
  },
  /** Atomic: of two concurrent copies into one empty store, only one begins. `source` is the identity of the source store. */
  async claim(source: string): Promise<CopyClaim> {
    return notImplemented('copyableRecords.claim')
  },
  /** Marks the copy from this source as complete. */
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
    passkeys,
    proofs,
    copyableRecords,
    /** Resolves while the store can be reached; otherwise rejects with `unavailable`. */
    async ready(): Promise<void> {
      return notImplemented('store.ready')
    },
    /** Waits for running calls to finish; later calls reject with `unavailable`. A second call is harmless. */
    async close(): Promise<void> {
      return notImplemented('store.close')
    },
  }
}
