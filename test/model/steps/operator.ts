import fc from 'fast-check'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { OperatorUseCases } from '../../../src/application/use-cases.js'
import { isRefusal } from '../../../src/domain/refusal.js'
import { step, type Place, type Step } from '../play.js'
import { ViolationError } from '../violation.js'
import { bumpEpoch, setPassword, type Account, type Role, type World } from '../world.js'
import { accountAt, at, index } from './choices.js'

/** What an operator does to an account: to the model's, and to the real one. */
type Command = {
  readonly name: string
  readonly model: (account: Account) => void
  readonly real: (useCases: OperatorUseCases, email: string) => Promise<unknown>
}

const NEXT_PASSWORD = 'an operator has set this one'

const caller = OPERATOR

/** The commands of the command line that end logins or change what is permitted (5). */
const COMMANDS: readonly Command[] = [
  {
    name: 'user disable',
    model: (account) => switched(account, 'disabled'),
    real: (useCases, email) => useCases.disableUser({ caller, email }),
  },
  {
    name: 'user enable',
    model: (account) => switched(account, 'enabled'),
    real: (useCases, email) => useCases.enableUser({ caller, email }),
  },
  {
    name: 'user password',
    model: (account) => setPassword(account, NEXT_PASSWORD),
    real: (useCases, email) => useCases.setPassword({ caller, email, password: NEXT_PASSWORD }),
  },
  {
    name: 'session revoke',
    model: bumpEpoch,
    real: (useCases, email) => useCases.revokeSessions({ caller, email }),
  },
  ...assignment('admin'),
  ...assignment('project-editor'),
  {
    name: 'user delete',
    model: (account) => switched(account, 'deleted'),
    real: (useCases, email) => useCases.deleteUser({ caller, email }),
  },
]

function assignment(role: Role): readonly Command[] {
  return [
    {
      name: `user role ${role}`,
      model: ({ roles }) => roles.add(role),
      real: (useCases, email) => useCases.assignRole({ caller, email, role }),
    },
    {
      name: `user role ${role} --remove`,
      model: ({ roles }) => roles.delete(role),
      real: async (useCases, email) => {
        await useCases.assignRole({ caller, email, role })
        await useCases.assignRole({ caller, email, role, remove: true })
      },
    },
  ]
}

function switched(account: Account, state: Account['state']): void {
  if (account.state === state) return
  account.state = state
  bumpEpoch(account)
}

export const commands: fc.Arbitrary<Step> = fc
  .record({ account: index, command: fc.nat(COMMANDS.length - 1) })
  .map((chosen) =>
    step('operator', async (world, place) => {
      const account = accountAt(world, chosen.account)
      const { name, model, real } = COMMANDS[chosen.command]!
      const isThere = account.state !== 'deleted'
      if (isThere) model(account)
      const call = () => real(place.service.useCases, account.email)
      await operate(world, place, { line: `operator: ${name} ${account.email}`, isThere, call })
    }),
  )

export const revocations: fc.Arbitrary<Step> = index.map((position) =>
  step('apikey revoke', async (world, place) => {
    const apiKey = at(world.apiKeys, position)
    if (!apiKey) return
    apiKey.isRevoked = true
    const call = () => place.service.useCases.revokeApiKey({ caller, id: String(apiKey.id) })
    await operate(world, place, { line: `operator: apikey revoke ${apiKey.id}`, isThere: true, call })
  }),
)

type Operation = { readonly line: string; readonly isThere: boolean; readonly call: () => Promise<unknown> }

/** Done where what it is about is there, else refused as not found. */
async function operate(world: World, place: Place, { line, isThere, call }: Operation): Promise<void> {
  place.service.clock.now = world.now
  place.sent += 1
  const expected = isThere ? 'done' : 'not-found'
  const got = await call().then(
    () => 'done',
    (error: unknown) => (isRefusal(error) ? error.code : String(error)),
  )
  world.trace.push(`${line} -> ${got}`)
  if (got !== expected) throw new ViolationError(world.trace, `${expected} expected`)
}
