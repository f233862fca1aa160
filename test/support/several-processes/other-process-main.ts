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

/** Which pair of which login, and how long after noon. */
type LoginRefresh = {
  readonly name: string
  readonly from: string
  readonly grace: number
  readonly late: number
}

/** What each task does when it is asked, after it said that it is ready. */
type Task = (path: string) => Promise<(message: string) => Promise<unknown>>

/** The path of a SQLite file, or the URL of a MongoDB database. */
const open = async (path: string) =>
  path.startsWith('mongodb:') ? await openMongo(path) : await openSqlite(path)

const TASKS: Record<string, Task> = {
  /** Opens the store only when it is asked, so that many open it at once. */
  open: async (path) => async (name) => {
    const store = await open(path)
    const inserted = await store.accounts.insert(account(`${name}@example.org`))
    await store.close()
    return inserted.kind
  },
  /** 16 requests with one token at once; the message tells this process's successors apart. */
  rotate: async (path) => {
    const store = await open(path)
    return async (branch) => {
      const requests = Array.from({ length: 16 }, (_, index) => rotation('shared', 1, ` ${branch} ${index}`))
      const rotations = await Promise.all(requests.map((one) => store.sessions.rotate(one)))
      return rotations.map((one) => [one.kind, 'session' in one ? one.session.current.pairId : ''])
    }
  },
  /** The same without a grace; the clock of this process is as many milliseconds behind as the message begins with. */
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
  /** 16 refreshes of one login of stateless mode at once; after the number of the process the message says of which. */
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
  /** Goes on making accounts with roles until it dies; answers when there are a hundred. */
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
   * Watches the first account at `watch`, eight times at once, and logs in as soon as its epoch is another one;
   * answers at `opened` which sessions that made.
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
  /** One email, 16 times at once. */
  register: async (path) => {
    const store = await open(path)
    return async (email) => {
      const inserted = await Promise.all(
        Array.from({ length: 16 }, () => store.accounts.insert(account(email))),
      )
      return inserted.map((one) => one.kind)
    }
  },
  /** Goes on writing until it is told to stop; answers how many were written. */
  write: async (path) => {
    const store = await open(path)
    return async (message) => {
      const numbers = Array.from({ length: 200 }, (_, index) => index)
      for (const number of numbers) await store.sessions.open(session(`${message} ${number}`, 1 as AccountId))
      return numbers.length
    }
  },
  /** 16 logins of the first account at once, which may have as many sessions as the message begins with. */
  openWithLimit: async (path) => {
    const { sessions } = await open(path)
    return async (message) => {
      const opened = Array.from({ length: 16 }, (_, index) => session(`${message} ${index}`, 1 as AccountId))
      await Promise.all(opened.map((one) => sessions.openWithLimit(one, Number.parseInt(message))))
    }
  },
  /** Ends a login of that id, as `logout` does in stateless mode. */
  revoke: async (path) => {
    const store = await open(path)
    return async (id) => await store.revocations.revoke(id as SessionId, NOON + 1)
  },
  /** 16 purges of three at once; answers how many each has removed. */
  purge: async (path) => {
    const store = await open(path)
    return async () =>
      await Promise.all(Array.from({ length: 16 }, () => store.revocations.purge(NOON + 1, 3)))
  },
  /** 16 resets with one token at once, each to a password of its own; answers the ids that they gave. */
  reset: async (path) => {
    const store = await open(path)
    return async (branch) => {
      const inputs = Array.from({ length: 16 }, (_, index) => redemption(`${branch} ${index}`))
      const ids = await Promise.all(inputs.map((input) => store.accounts.consumeResetToken(input)))
      return ids.map((id) => id ?? 0)
    }
  },
  /** 16 takes of one code of the first account at once: a step, or a recovery code where the message is no number. */
  code: async (path) => {
    const { secondFactors } = await open(path)
    const take = (message: string) =>
      Number.isNaN(Number(message))
        ? secondFactors.takeRecovery(1 as AccountId, message as RecoveryDigest)
        : secondFactors.takeStep(1 as AccountId, Number(message) as TimeStep)
    return async (message) => await Promise.all(Array.from({ length: 16 }, () => take(message)))
  },
  /** 16 removals and patches of the first revision of a pet at once, in turns; answers what became of each. */
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
  /** 16 claims of mails at once; answers which jobs they got. */
  claim: async (path) => {
    const store = await open(path)
    return async () => {
      const claims = Array.from({ length: 16 }, () => store.mailQueue.claim(NOON, NOON + 1))
      return (await Promise.all(claims)).map((job) => job?.id ?? 'none')
    }
  },
  /** Takes the write lock at `hold` and gives it back at `release`. */
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
/** The one who asked has died. */
process.on('disconnect', () => process.exit())
process.send?.('ready')
