import type { PasskeyId } from '../../../src/domain/identity/passkey.js'
import type { Store } from '../../../src/ports/store.js'
import { also, type Bug, bugOfPorts, bugsOf, everybodyElse, first, given, gives, only } from './bug.js'

const bug = bugsOf('passkeys')

export const bugsOfPasskeys: readonly Bug[] = [
  bug('the newest passkey comes first', /find and listOf/, () => ({
    listOf: gives((found) => found.toReversed()),
  })),
  bug('IDs are not case-sensitive', /IDs are case-sensitive/, () => ({
    add: given((passkey, epoch) => [{ ...passkey, id: passkey.id.toLowerCase() as PasskeyId }, epoch]),
  })),
  bug('a taken ID is reported before other reasons', /the first reason/, ({ passkeys }) => ({
    add: (call) => async (passkey, epoch) =>
      (await passkeys.find(passkey.id)) ? 'taken' : await call(passkey, epoch),
  })),
  bug(
    'the epoch is ignored',
    /(?:Password|reset|Email|enabling|endAllOf) makes add|after an epoch change/,
    (store) => ({
      add: given(async (passkey, epoch) => [passkey, (await epochOf(store, passkey.accountId)) ?? epoch]),
    }),
  ),
  bug('add does not report a change', /the first reason|: .* makes add refuse|after an epoch change/, () => ({
    add: gives((answer) => (answer === 'changed' ? 'added' : answer)),
  })),
  bug('add does not report that it added nothing', /the first reason|never exceed|to two accounts/, () => ({
    add: gives((answer) => (answer === 'changed' ? answer : 'added')),
  })),
  bugOfPorts('a new password removes the passkeys', /setPassword makes/, ({ passkeys }) => ({
    accounts: {
      setPassword: also(async (_, id) => {
        for (const one of await passkeys.listOf(id)) await passkeys.remove(id, one.id)
      }),
    },
  })),
  bugOfPorts(
    'the IDs of a removed account stay taken',
    /the passkeys of a removed|leaves no passkey behind/,
    ({ passkeys }) => {
      const before = new Set<PasskeyId>()
      return {
        accounts: {
          remove: first(async (id) => {
            for (const one of await passkeys.listOf(id)) before.add(one.id)
          }),
        },
        passkeys: { add: gives((answer, { id }) => (before.has(id) ? 'taken' : answer)) },
      }
    },
  ),
  bug('a removal ends all sessions', /no call changes the epoch/, ({ sessions }) => ({
    remove: also((_, id) => sessions.endAllOf(id)),
  })),
  bug('the backup state never changes', /use stores|the highest counter/, ({ passkeys }) => ({
    use: given(async (id, use) => [id, { ...use, backedUp: (await passkeys.find(id))?.backedUp ?? false }]),
  })),
  bug('a use is not stored', /use stores|use refuses|same counter|the highest counter/, () => ({
    use: only('used'),
  })),
  bug('the counter is compared and stored in two steps', /with the same counter/, ({ passkeys }) => ({
    use: (call) => async (id, use) => {
      const { counter = 0 } = (await passkeys.find(id)) ?? {}
      await everybodyElse()
      const answer = await call(id, use)
      return use.counter > counter ? 'used' : answer
    },
  })),
  bug('an authenticator without a counter is refused', /use stores|no signature counter/, () => ({
    use: gives((answer, _, { counter }) => (counter === 0 ? 'rewound' : answer)),
  })),
  bug(
    'every account can rename and remove every passkey',
    /passkeys: (?:rename changes|remove deletes)/,
    ({ passkeys }) => {
      const ownerOf = async (id: PasskeyId) => (await passkeys.find(id))?.accountId
      return {
        rename: given(async (accountId, id, name) => [(await ownerOf(id)) ?? accountId, id, name]),
        remove: given(async (accountId, id) => [(await ownerOf(id)) ?? accountId, id]),
      }
    },
  ),
  bug('rename restores a removed passkey', /no other call restores/, (store) => ({
    rename: (call) => async (accountId, id, name) => {
      const before = await store.passkeys.find(id)
      await everybodyElse()
      const [answer, epoch] = [await call(accountId, id, name), await epochOf(store, accountId)]
      if (before && epoch !== undefined) await store.passkeys.add({ ...before, name }, epoch)
      return answer
    },
  })),
  bug('the last way to log in is removed', /the last passkey|last two passkeys/, () => ({
    remove: gives((answer) => (answer === 'last-way' ? 'removed' : answer)),
  })),
  bug('remove always reports success', /passkeys: (?:remove deletes|.* concurrent removals)/, () => ({
    remove: gives(() => 'removed'),
  })),
]

async function epochOf({ accounts }: Store, id: Parameters<Store['accounts']['find']>[0]) {
  return (await accounts.find(id))?.epoch
}
