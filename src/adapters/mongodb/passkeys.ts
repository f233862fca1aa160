import type { Epoch } from '../../domain/identity/account.js'
import { byCreation, PASSKEYS_MAX, type Passkey, type PasskeyId } from '../../domain/identity/passkey.js'
import type { Passkeys } from '../../ports/passkeys.js'
import type { Database } from './database.js'
import type { AccountDocument } from './documents.js'
import { ENABLED, exists } from './writes.js'
import { isDuplicateOf } from './errors.js'

const HAS_SEVERAL = { 'passkeys.1': { $exists: true } } as const
const IS_FULL = `passkeys.${PASSKEYS_MAX - 1}`
const OF_PASSKEYS = { projection: { passkeys: 1 } } as const

/**
 * Stores the passkeys in the account's document, so each change is one update. A unique index rejects a passkey that another account has,
 * but does not detect duplicates within one document.
 */
export function createPasskeys({ accounts }: Database): Passkeys {
  async function update(...args: Parameters<typeof accounts.updateOne>): Promise<boolean> {
    return (await accounts.updateOne(...args)).matchedCount === 1
  }

  async function push({ accountId, ...passkey }: Passkey, epoch: Epoch): Promise<boolean> {
    const open = {
      ...{ _id: accountId, epoch, ...ENABLED },
      ...{ [IS_FULL]: { $exists: false }, 'passkeys.id': { $ne: passkey.id } },
    }
    return await update(open, { $push: { passkeys: passkey } })
  }

  async function find(id: PasskeyId): Promise<Passkey | undefined> {
    const found = await accounts.findOne({ 'passkeys.id': id }, OF_PASSKEYS)
    return found ? passkeysOf(found).find((one) => one.id === id) : undefined
  }

  const add: Passkeys['add'] = async (passkey, epoch) => {
    try {
      if (await push(passkey, epoch)) return 'added'
    } catch (error) {
      if (isDuplicateOf(error, 'passkeys.id')) return 'taken'
      throw error
    }
    const account = await accounts.findOne({ _id: passkey.accountId, epoch, ...ENABLED }, OF_PASSKEYS)
    if (!account) return 'changed'
    const { passkeys = [] } = account
    if (passkeys.length >= PASSKEYS_MAX) return 'full'
    // If the passkey is new, a concurrent removal has made room since the failed `push`, so `add` is repeated.
    return passkeys.some(({ id }) => id === passkey.id) ? 'taken' : await add(passkey, epoch)
  }

  return {
    add,
    find,
    async listOf(accountId) {
      const found = await accounts.findOne({ _id: accountId }, OF_PASSKEYS)
      return found ? passkeysOf(found) : []
    },
    async use(id, { counter, backedUp, at }) {
      const $elemMatch = { id, counter: counter === 0 ? 0 : { $lt: counter } }
      const used = {
        'passkeys.$.counter': counter,
        'passkeys.$.backedUp': backedUp,
        'passkeys.$.lastUsedAt': at,
      }
      // Without the first condition, the server would not use the index.
      if (await update({ 'passkeys.id': id, passkeys: { $elemMatch } }, { $set: used })) return 'used'
      return (await find(id)) ? 'rewound' : 'unknown'
    },
    async rename(accountId, id, name) {
      const own = { _id: accountId, 'passkeys.id': id }
      return (await update(own, { $set: { 'passkeys.$.name': name } })) ? 'renamed' : 'unknown'
    },
    async remove(accountId, id) {
      const own = { _id: accountId, 'passkeys.id': id }
      const hasOtherWay = { $or: [{ passwordHash: { $exists: true } }, HAS_SEVERAL] }
      if (await update({ ...own, ...hasOtherWay }, { $pull: { passkeys: { id } } })) return 'removed'
      return (await exists(accounts, own)) ? 'last-way' : 'unknown'
    },
  }
}

export function passkeysOf({
  _id: accountId,
  passkeys = [],
}: Pick<AccountDocument, '_id' | 'passkeys'>): readonly Passkey[] {
  return passkeys.map((one) => ({ accountId, ...one })).sort(byCreation)
}
