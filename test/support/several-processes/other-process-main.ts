import { setImmediate } from 'node:timers/promises'
import type { PetId, Revision } from '../../../src/domain/catalogue/pet.js'
import type { Age } from '../../../src/domain/catalogue/traits.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { RecoveryDigest, TimeStep } from '../../../src/domain/identity/second-factor.js'
import type { PairId, SessionId } from '../../../src/domain/identity/session.js'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { account, loginRotation, NOON, redemption, role, rotation, session } from './samples.js'

/** The pair and the login to refresh, and the time after noon. */
type LoginRefresh = {
  readonly name: string
  readonly from: string
  readonly grace: number
  readonly late: number
}

/** The work of each task for a message, after it has reported that it is ready. */
type Task = (path: string) => Promise<(message: string) => Promise<unknown>>

/** The path of an SQLite file, or the URL of a MongoDB database. */
const open = async (path: string) =>
  path.startsWith('mongodb:') ? await openMongo(path) : await openSqlite(path)

const TASKS: Record<string, Task> = {
  /** Opens the store only on request, so that many processes open it concurrently. */
  open: async (path) => async (name) => {
    const store = await open(path)
    const inserted = await store.accounts.insert(account(`${name}@example.org`))
    await store.close()
    return inserted.kind
  },
  /** 16 concurrent requests with one token; the message distinguishes the successors of this process. */
  rotate: async (path) => {
    const store = await open(path)
    return async (branch) => {
      const requests = Array.from({ length: 16 }, (_, index) => rotation('shared', 1, ` ${branch} ${index}`))
      const rotations = await Promise.all(requests.map((one) => store.sessions.rotate(one)))
      return rotations.map((one) => [one.kind, 'session' in one ? one.session.current.pairId : ''])
    }
  },
  /**
   * The same without a grace window; the message begins with the milliseconds by which this process's clock is behind.
   */
  rotateOnce: async (path) => {
    const store = await open(path)
    return async (message) => {
      const at = NOON - Number.parseInt(message)
      const requests = Array.from({ length: 16 }, (_, index) => rotation('shared', 1, ` ${message} ${index}`))
      const rotations = await Promise.all(
        requests.map((one) => store.sessions.rotate({ ...one, at, grace: 0 })),
      )
      return rotations.map(({ kind }) => kind)
    }
  },
  /** 16 concurrent refreshes of one stateless login; after the number of the process, the message names the login. */
  rotateLogin: async (path) => {
    const store = await open(path)
    return async (message) => {
      const { name, from, grace, late } = JSON.parse(message.slice(2)) as LoginRefresh
      const change = { from: from as PairId, grace, at: NOON + late }
      const requests = Array.from({ length: 16 }, (_, index) =>
        loginRotation(name, change, ` ${message.charAt(0)} ${index} ${late}`),
      )
      const rotations = await Promise.all(requests.map((one) => store.revocations.rotate(one)))
      return rotations.map((one) => [one.kind, 'pairs' in one ? one.pairs.current.pairId : ''])
    }
  },
  /** Creates accounts with roles until it is killed; answers when there are a hundred. */
  enlist: async (path) => {
    const store = await open(path)
    const keys = ['admin', 'editor', 'writer']
    const roles = keys.map((key) => role(key))
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
   * Watches the first account at `watch`, eight times concurrently, and logs in as soon as its epoch changes; answers
   * `opened` with the resulting sessions.
   */
  login: async (path) => {
    const store = await open(path)
    const first = async () => await store.accounts.find(1 as AccountId)
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
  /** Inserts one email 16 times concurrently. */
  register: async (path) => {
    const store = await open(path)
    return async (email) => {
      const inserted = await Promise.all(
        Array.from({ length: 16 }, () => store.accounts.insert(account(email))),
      )
      return inserted.map((one) => one.kind)
    }
  },
  /** Writes until it is stopped; answers the number of writes. */
  write: async (path) => {
    const store = await open(path)
    return async (message) => {
      const numbers = Array.from({ length: 200 }, (_, index) => index)
      for (const number of numbers) await store.sessions.open(session(`${message} ${number}`, 1 as AccountId))
      return numbers.length
    }
  },
  /** 16 concurrent logins of the first account; the message begins with the session limit. */
  openWithLimit: async (path) => {
    const { sessions } = await open(path)
    return async (message) => {
      const opened = Array.from({ length: 16 }, (_, index) => session(`${message} ${index}`, 1 as AccountId))
      await Promise.all(opened.map((one) => sessions.openWithLimit(one, Number.parseInt(message))))
    }
  },
  /** Ends a login of that ID, as `logout` does in stateless mode. */
  revoke: async (path) => {
    const store = await open(path)
    return async (id) => await store.revocations.revoke(id as SessionId, NOON + 1)
  },
  /** 16 concurrent purges of three records each; answers how many each has removed. */
  purge: async (path) => {
    const store = await open(path)
    return async () =>
      await Promise.all(Array.from({ length: 16 }, () => store.revocations.purge(NOON + 1, 3)))
  },
  /** 16 concurrent resets with one token, each to another password; answers the resulting IDs. */
  reset: async (path) => {
    const store = await open(path)
    return async (branch) => {
      const inputs = Array.from({ length: 16 }, (_, index) => redemption(`${branch} ${index}`))
      const ids = await Promise.all(inputs.map((input) => store.accounts.consumeResetToken(input)))
      return ids.map((id) => id ?? 0)
    }
  },
  /** 16 concurrent uses of one code of the first account: a step, or a recovery code if the message is not a number. */
  code: async (path) => {
    const { secondFactors } = await open(path)
    const take = (message: string) =>
      Number.isNaN(Number(message))
        ? secondFactors.takeRecovery(1 as AccountId, message as RecoveryDigest)
        : secondFactors.takeStep(1 as AccountId, Number(message) as TimeStep)
    return async (message) => await Promise.all(Array.from({ length: 16 }, () => take(message)))
  },
  /** 16 concurrent removals and patches, alternating, of the first revision of a pet; answers each outcome. */
  change: async (path) => {
    const { pets } = await open(path)
    const first = [1 as Revision]
    const change = async (id: PetId, index: number) =>
      index % 2 === 0
        ? await pets.remove(id, first)
        : (await pets.patch(id, { kind: 'cat', age: index as Age }, first)).kind
    return async (id) =>
      await Promise.all(Array.from({ length: 16 }, (_, index) => change(Number(id) as PetId, index)))
  },
  /** 16 concurrent claims of mails; answers the jobs that they got. */
  claim: async (path) => {
    const store = await open(path)
    return async () => {
      const claims = Array.from({ length: 16 }, () => store.mailQueue.claim(NOON, NOON + 1))
      return (await Promise.all(claims)).map((job) => job?.id ?? 'none')
    }
  },
  /** Takes the write lock at `hold` and releases it at `release`. */
  lock: async (path) => {
    const connection = await connect(path)
    return async (message) => connection.exec(message === 'hold' ? 'BEGIN IMMEDIATE' : 'COMMIT')
  },
}

const [name = '', path = ''] = process.argv.slice(2)
const task = await TASKS[name]?.(path)
if (!task) throw new Error('unknown task')
process.on('message', (message) => {
  if (message === 'end') process.exit()
  void task(String(message)).then((answer) => process.send?.(answer ?? 'done'))
})
/** The parent process has died. */
process.on('disconnect', () => process.exit())
process.send?.('ready')
