import type { Account, AccountId } from '../../domain/identity/account.js'
import type { FactorSecret, TimeStep } from '../../domain/identity/second-factor.js'
import type { Instant } from '../../domain/instant.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'
import type { AccountInsertion, NewAccount } from '../../ports/accounts.js'
import type { SecretSeal } from '../../ports/second-factors.js'
import type { GivenShared } from '../shared-parts.js'

/** Loads the seal for second-factor secrets. Derives its keys only on the first call, because most imports and commands do not need them. */
export type LoadSecretSeal = () => Promise<Pick<SecretSeal, 'seal'>>

export type ImportFactorParts = GivenShared<['accounts', 'secondFactors', 'clock'], ['secondFactors']> & {
  loadSecretSeal: LoadSecretSeal
}

/**
 * An account with an imported factor is disabled until the factor is active, so that no login without the factor is accepted. Until then,
 * the account's `disabledAt` is this many milliseconds before its `createdAt`. Only imports write such times, so a repeated import
 * recognizes an unfinished account and knows whether it may enable it.
 */
const DISABLED_BEFORE = { enabledLater: 1, staysDisabled: 2 } as const

/** Returns the `disabledAt` of a new account whose imported factor is not active yet. */
export function disabledUntilFactor(createdAt: Instant, staysDisabled: boolean): Instant {
  return createdAt - DISABLED_BEFORE[staysDisabled ? 'staysDisabled' : 'enabledLater']
}

type FactorParts = Pick<ImportFactorParts, 'accounts' | 'clock'> &
  Pick<SecretSeal, 'seal'> &
  GivenShared<['secondFactors']>

/** Resolves with the dependencies for imported factors. Refuses the call with `invalid` if the store does not support second factors. */
export async function factorParts(parts: ImportFactorParts): Promise<FactorParts> {
  const { accounts, secondFactors, loadSecretSeal, clock } = parts
  if (!secondFactors)
    throw refuseField('invalid', 'totp', 'Format', 'cannot be stored: the store has no second factors')
  const seal = await loadSecretSeal()
  return { accounts, secondFactors, seal: (...secret) => seal.seal(...secret), clock }
}

/**
 * Adds the factor to the account that was just inserted, or that an interrupted or concurrent import of the same email has inserted; then
 * enables the account, unless it is imported as disabled. May run concurrently, even in several processes, and may be repeated after a
 * failed call. Resolves with `inserted` if the account was inserted or completed.
 */
export async function addImportedFactor(
  parts: FactorParts,
  { account, secret }: { readonly account: NewAccount; readonly secret: FactorSecret },
  insertion: AccountInsertion,
): Promise<AccountInsertion> {
  if (insertion.kind === 'unknown-role') return insertion
  const found =
    insertion.kind === 'inserted'
      ? { ...account, id: insertion.id }
      : await parts.accounts.findByEmail(account.email)
  if (!found || !isUnfinishedImport(found)) return insertion
  const isActive = await activateFactor(parts, found.id, secret)
  if (isActive && isEnabledLater(account)) await enable(parts, found)
  return { kind: 'inserted', id: found.id }
}

type Disabling = { readonly createdAt: Instant; readonly disabledAt?: Instant }

type ImportedAccount = Disabling & Pick<Account, 'secondFactor'>

/** Returns whether the import still has to activate the second factor or enable the account. */
export function isUnfinishedImport(account: ImportedAccount): boolean {
  return lacksImportedFactor(account) || isEnabledLater(account)
}

/** Returns whether the account was imported with a second factor, but has none. */
export function lacksImportedFactor(account: ImportedAccount): boolean {
  const { createdAt, disabledAt = createdAt, secondFactor } = account
  return disabledAt < createdAt && secondFactor === undefined
}

function isEnabledLater({ createdAt, disabledAt }: Disabling): boolean {
  return disabledAt === createdAt - DISABLED_BEFORE.enabledLater
}

async function enable({ accounts }: FactorParts, found: Disabling & Pick<Account, 'id'>): Promise<void> {
  const since = disabledUntilFactor(found.createdAt, false)
  await accounts.setDisabled(found.id, undefined, since)
}

/** An imported factor accepts every step, because the steps that the other system has accepted are unknown. */
const NO_STEP = 0 as TimeStep

/** Resolves with `false` if the account or its factor was removed in the meantime. */
async function activateFactor(
  { secondFactors, seal, clock }: FactorParts,
  id: AccountId,
  secret: FactorSecret,
): Promise<boolean> {
  const at = clock()
  let sealedSecret = await seal(secret, id)
  const begun = await secondFactors.begin(id, { sealedSecret, at })
  if (begun !== 'begun') return begun === 'active'
  const activate = () => secondFactors.activate(id, { sealedSecret, step: NO_STEP, recovery: [], at })
  // A concurrent import of the account may replace the pending factor. This loop ends, because each import begins only one factor.
  while ((await activate()) === 'changed') {
    const factor = await secondFactors.find(id)
    if (factor?.activeSince !== undefined || !factor) return factor !== undefined
    sealedSecret = factor.sealedSecret
  }
  return true
}

/** Returns the refusal to enable an account that `lacksImportedFactor`. */
export function importUnfinished(): Refusal {
  const message =
    'The second factor of the account was not imported: repeat the import. To enable the account without the factor, disable the account first.'
  return refuseField('conflict', 'email', 'Conflict', message)
}
