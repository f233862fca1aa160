import { expect } from 'chai'
import { setImmediate as turn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { isRefusal, type RefusalCode } from '../../src/domain/refusal.js'
import { openKennel, type Kennel } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { HOSTILE, positionsIn, withValue, type Position } from './hostile-values.js'
import { DELIVERS, GENEROUS, goodOptions } from './opening.js'
import { call, populate, validAsks, type MethodName } from './valid-inputs.js'

/** These calls come last, because they change or remove an account that the other calls need. */
const LAST = [
  ...(['logoutAs', 'changePassword', 'refresh', 'login', 'loginAs', 'logout', 'disableUser'] as const),
  ...(['deleteUser', 'exportUser', 'setAllPasswords'] as const),
] as const satisfies readonly MethodName[]

function isLast(method: string): boolean {
  return LAST.some((one) => one === method)
}

/** Methods that reject even valid arguments, with the expected code. */
const RIGHTLY_REFUSED: Readonly<Partial<Record<MethodName, RefusalCode>>> = {
  approveUser: 'conflict',
  authenticateApiKey: 'invalid-credentials',
  consumeResetToken: 'invalid',
  confirmSignUp: 'invalid',
  confirmEmailChange: 'invalid',
  undoEmailChange: 'invalid',
  confirmLoginMail: 'invalid',
  sendInvitation: 'not-found',
  revokeInvitation: 'not-found',
  changePassword: 'invalid',
  deleteAccount: 'forbidden',
  exportAccount: 'forbidden',
  confirmLogin: 'forbidden',
  addPasskey: 'invalid',
  renamePasskey: 'not-found',
  removePasskey: 'not-found',
  loginWithPasskey: 'login-failed',
  beginPasskeyConfirmation: 'forbidden',
  removeUserPasskey: 'not-found',
  confirmSecondFactor: 'invalid',
  removeSecondFactor: 'conflict',
  renewRecoveryCodes: 'conflict',
  logoutAs: 'forbidden',
}

async function outcomeOf(work: Promise<unknown>): Promise<'resolved' | RefusalCode> {
  try {
    await work
    return 'resolved'
  } catch (error) {
    if (isRefusal(error)) return error.code
    throw new Error(`no refusal: ${inspect(error)}`, { cause: error })
  }
}

describe('an open Kennel called by an untyped host', () => {
  const folder = temporaryFolder()
  let kennel: Kennel
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)

  beforeEach(async () => {
    const options = { permissions: GENEROUS, pages: true, passkeys: 'on', parts: { mailer: DELIVERS } }
    kennel = await openKennel(goodOptions({ ...options, store: `sqlite:${folder('kennel.db')}` }))
    await populate(kennel)
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    await turn()
    process.off('unhandledRejection', note)
    await kennel.close()
    expect(unhandled).to.deep.equal([])
  })

  /** Calls `act` for every method, each time with new arguments from a new login. */
  async function forEachMethod(act: (method: MethodName, args: unknown[]) => Promise<void>): Promise<void> {
    const names = Object.keys(await validAsks(kennel)) as MethodName[]
    for (const method of [...names.filter((one) => !isLast(one)), ...LAST])
      await act(method, (await validAsks(kennel))[method])
  }

  const outcomeWith = async (method: MethodName, args: unknown[], [position, value]: [Position, unknown]) =>
    await outcomeOf(call(kennel, method, withValue(args, position, value) as unknown[])).catch(
      (error: unknown) => {
        throw new Error(`${method} at ${position.join('.')}: ${String(error)}`, { cause: error })
      },
    )

  it('is tested with valid arguments for every method', async () => {
    const methods = Object.keys(kennel).filter((one) => typeof kennel[one as keyof Kennel] === 'function')
    const others = ['importUser', 'sessionCookie.set', 'sessionCookie.read', 'close', 'within']
    const tried = Object.keys(await validAsks(kennel))
    expect([...new Set([...methods, ...others])].sort()).to.deep.equal([...tried, 'close', 'within'].sort())
  })

  it('returns or rejects for each hostile value in any argument of any method', async () => {
    await forEachMethod(async (method, args) => {
      for (const position of positionsIn(args))
        for (const make of Object.values(HOSTILE)) await outcomeWith(method, args, [position, make()])
    })
  })

  it('accepts well-formed arguments', async () => {
    const refused: Record<string, unknown> = {}
    await forEachMethod(async (method, args) => {
      const outcome = await outcomeOf(call(kennel, method, args))
      if (outcome !== 'resolved') refused[method] = outcome
    })
    expect(refused).to.deep.equal(RIGHTLY_REFUSED)
  })
})
