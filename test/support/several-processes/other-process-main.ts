import { setImmediate } from 'node:timers/promises'
import type { PetId, Revision, Age } from '../../../src/domain/catalogue/pet.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { PasskeyId } from '../../../src/domain/identity/passkey.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { RecoveryDigest, TimeStep } from '../../../src/domain/identity/second-factor.js'
import type { PairId, SessionId } from '../../../src/domain/identity/session.js'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { useOf } from '../../../src/contracts/arrangements.js'
import { aPasskey, aStep, passkeyIdOf } from '../../../src/contracts/samples.js'
import type { Store } from '../../../src/ports/store.js'
import { openAt } from '../open-at.js'
import type { StoreChange } from '../sqlite-changes.js'
import { copyOpenFile, openWitness, type Witness } from '../sqlite-witness.js'
import { account, loginRotation, NOON, resetProof, role, rotation, session } from './samples.js'

/** A refresh of the login `name` with the token pair `from`, made `late` milliseconds after noon. */
type LoginRefresh = {
  readonly name: string
  readonly from: string
  readonly grace: number
  readonly late: number
}

/** Returns the reply to a message; called only after the task has reported that it is ready. */
type Answer = (message: string) => Promise<unknown>

const FIRST = 1 as AccountId

/** Makes 16 concurrent calls. */
const sixteen = <T>(call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 16 }, (_, index) => call(index)))

/** Tasks that only make store calls for each message. */
const CALLS: Readonly<Record<string, (store: Store, message: string) => Promise<unknown>>> = {
  /**
   * Refreshes with one token; half of the calls also pass the session that was read. The message begins with the length
   * of the grace window and the delay of the clock of this process, in milliseconds. The new generations are
   * named after the message, so a process with a different message creates different generations.
   */
  rotate: async ({ sessions }, message) => {
    const [grace, late] = message.split(' ').map(Number) as [number, number]
    const found = session('shared', FIRST)
    const rotations = await sixteen((index) =>
      sessions.rotate({
        ...rotation('shared', 1, ` ${message} ${index}`),
        ...{ grace, at: NOON - late },
        ...(index % 2 === 0 && { found }),
      }),
    )
    return rotations.map((one) => [one.kind, 'session' in one ? one.session.current.pairId : ''])
  },
  /** Refreshes one stateless login several times; the message contains the number of the process and a `LoginRefresh` as JSON. */
  rotateLogin: async ({ revocations }, message) => {
    const { name, from, grace, late } = JSON.parse(message.slice(2)) as LoginRefresh
    const change = { from: from as PairId, grace, at: NOON + late }
    const rotations = await sixteen((index) =>
      revocations.rotate(loginRotation(name, change, ` ${message.charAt(0)} ${index} ${late}`)),
    )
    return rotations.map((one) => [one.kind, 'pairs' in one ? one.pairs.current.pairId : ''])
  },
  register: async ({ accounts }, email) =>
    (await sixteen(() => accounts.insert(account(email)))).map(({ kind }) => kind),
  /** Makes 200 writes, one after another; replies with the number of writes. */
  write: async ({ sessions }, message) => {
    for (let number = 0; number < 200; number += 1)
      await sessions.open(session(`${message} ${number}`, FIRST))
    return 200
  },
  /** Logs in to the first account; the message begins with the session limit. */
  openWithLimit: ({ sessions }, message) =>
    sixteen((index) =>
      sessions.openWithLimit(session(`${message} ${index}`, FIRST), Number.parseInt(message)),
    ),
  /** Ends the login with this ID, as `logout` does in stateless mode. */
  revoke: ({ revocations }, id) => revocations.revoke(id as SessionId, NOON + 1),
  /** Purges three records at a time; replies with the number of records that each purge removed. */
  purge: ({ revocations }) => sixteen(() => revocations.purge(NOON + 1, 3)),
  /**
   * Resets a password several times with the same token and different passwords; replies with the returned account IDs.
   */
  reset: ({ proofs }, branch) =>
    sixteen((index) =>
      proofs.resetPassword(useOf(resetProof(1 as Epoch)), `${branch} ${index}` as PasswordHash),
    ),
  /** Uses one code of the first account several times. The message is a time step or a recovery code. */
  code: ({ secondFactors }, message) =>
    sixteen(() =>
      Number.isNaN(Number(message))
        ? secondFactors.takeRecovery(FIRST, message as RecoveryDigest)
        : secondFactors.takeStep(FIRST, { ...aStep(), step: Number(message) as TimeStep }),
    ),
  /** Adds passkeys to the first account; the labels begin with the message. */
  addPasskey: ({ passkeys }, message) =>
    sixteen((index) => passkeys.add(aPasskey({ id: FIRST }, `${message}-${index}`), 1 as Epoch)),
  /** Removes the first account's passkeys with the labels in the message, several times each. */
  removePasskey: ({ passkeys }, message) => {
    const ids = message.split(' ').map(passkeyIdOf)
    return sixteen((index) => passkeys.remove(FIRST, ids[index % ids.length] as PasskeyId))
  },
  /** Alternately removes and patches the first revision of a pet; replies with each outcome. */
  change: ({ pets }, message) => {
    const [id, first] = [Number(message) as PetId, [1 as Revision]]
    return sixteen(async (index) =>
      index % 2 === 0
        ? await pets.remove(id, first)
        : (await pets.patch(id, { kind: 'cat', age: index as Age }, first)).kind,
    )
  },
  /** Claims mail jobs; replies with the jobs that were claimed. */
  claim: ({ mailQueue }) => sixteen(async () => (await mailQueue.claim(NOON, NOON + 1))?.id ?? 'none'),
}

/** Tasks that need preparation, or keep state between messages. */
const TASKS: Readonly<Record<string, (store: Store) => Answer | Promise<Answer>>> = {
  /** Creates accounts with roles until it is killed; replies when there are a hundred accounts. */
  enlist: async (store) => {
    const roles = ['admin', 'editor', 'writer'].map((key) => role(key))
    for (const one of roles) await store.roles.insert(one)
    const enlist = (name: string) =>
      store.accounts.insert({ ...account(`${name}@example.org`), roles: roles.map(({ key }) => key) })
    const enlistAll = async (round: number): Promise<void> => {
      await Promise.all(Array.from({ length: 100 }, (_, index) => enlist(`${round}-${index}`)))
      if (round > 0) await enlistAll(round + 1)
    }
    return async () => {
      await enlistAll(0)
      void enlistAll(1)
    }
  },
  /**
   * On `watch`, starts eight concurrent loops that log in as soon as the epoch of the first account changes. Replies to `opened` with the
   * resulting sessions.
   */
  login: (store) => {
    const first = async () => await store.accounts.find(FIRST)
    const loginAfter = async (before: Epoch | undefined, label: string) => {
      for (;;) {
        const account = await first()
        if (account && account.epoch !== before && account.disabledAt === undefined) {
          const opened = { ...session(label, account.id), epoch: account.epoch }
          await store.sessions.open(opened)
          return opened.id
        }
        await setImmediate()
      }
    }
    let logins: Promise<SessionId>[] = []
    return async (message) => {
      if (message === 'opened') return await Promise.all(logins)
      const before = (await first())?.epoch
      const labels = Array.from({ length: 8 }, (_, index) => `${process.pid} ${before ?? 0} ${index}`)
      logins = labels.map((label) => loginAfter(before, label))
      return logins.length
    }
  },
}

/** Tasks that open the store themselves. */
const OPENERS: Record<string, (path: string) => Answer | Promise<Answer>> = {
  /** Opens the store only on request, so that many processes can open it concurrently. */
  open: (path) => async (name) => {
    const store = await openAt(path)
    const inserted = await store.accounts.insert(account(`${name}@example.org`))
    await store.close()
    return inserted.kind
  },
  /** The message `open` opens a file; each later message calls a method of this file's witness. */
  witness: () => {
    let witness: Witness | undefined
    return async (message) => {
      const [call, argument] = JSON.parse(message) as readonly [keyof Witness | 'open', unknown]
      if (call !== 'open') return await witness?.[call](argument as StoreChange)
      witness = await openWitness(argument as string)
      return call
    }
  },
  /** Copies a file while other processes have it open. */
  copy: () => async (message) => {
    await copyOpenFile(...(JSON.parse(message) as Parameters<typeof copyOpenFile>))
  },
  /** Takes the write lock on `hold`, and releases it on `release`. */
  lock: async (path) => {
    const connection = await connect(path)
    return async (message) => connection.exec(message === 'hold' ? 'BEGIN IMMEDIATE' : 'COMMIT')
  },
}

const [name = '', path = ''] = process.argv.slice(2)
const task = await taskOf()
process.on('message', (message) => {
  if (message === 'end') process.exit()
  void task(String(message)).then((answer) => process.send?.(answer ?? 'done'))
})
/** The parent process has died. */
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function taskOf(): Promise<Answer> {
  const opener = OPENERS[name]
  if (opener) return await opener(path)
  const [store, call, prepare] = [await openAt(path), CALLS[name], TASKS[name]]
  if (call) return (message) => call(store, message)
  if (!prepare) throw new Error('unknown task')
  return await prepare(store)
}
