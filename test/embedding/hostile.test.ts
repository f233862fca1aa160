import { expect } from 'chai'
import fc from 'fast-check'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { isRefusal, type RefusalCode } from '../../src/domain/refusal.js'
import { openKennel, type Kennel } from '../../src/index.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'
import { anyValue, HOSTILE, positionsIn, withValue, type Position } from './hostile-values.js'
import { DELIVERS, GENEROUS, goodOptions } from './opening.js'
import { call, populate, validAsks, type MethodName } from './valid-inputs.js'

type Opened = { readonly kennel: Kennel; readonly folder: TemporaryFolder }

async function openOn(urlIn: (folder: string) => string): Promise<Opened> {
  const folder = makeTemporaryFolder()
  const options = {
    store: urlIn(folder.path),
    permissions: GENEROUS,
    pages: true,
    parts: { mailer: DELIVERS },
  }
  const kennel = await openKennel(goodOptions(options))
  await populate(kennel)
  return { kennel, folder }
}

const STORES: Readonly<Record<string, (folder: string) => string>> = {
  memory: () => 'memory:',
  SQLite: (folder) => `sqlite:${join(folder, 'kennel.db')}`,
}

/** What takes an account away that the other asks are about comes last. */
const NAMES = [
  'authorize',
  'checkAccessToken',
  'identify',
  'identifyPage',
  'authenticate',
  'getIdentity',
  'authenticatePetClient',
  'createPet',
  'listPets',
  'readPet',
  'readPets',
  'patchPet',
  'createProject',
  'listProjects',
  'readProject',
  'closeProject',
  'removePet',
  'requestPasswordReset',
  'consumeResetToken',
  'deleteAccount',
  'createUser',
  'setPassword',
  'assignRole',
  'listUsers',
  'getUser',
  'importUsers',
  'importUser',
  'createRole',
  'listRoles',
  'createApiKey',
  'listApiKeys',
  'revokeApiKey',
  'listSessions',
  'revokeSessions',
  'listAudit',
  'enableUser',
  'sendMails',
  'purgeExpired',
  'ready',
  'sessionCookie.set',
  'sessionCookie.read',
  'listOwnSessions',
  'endOwnSessions',
  'readSecondFactor',
  'setUpSecondFactor',
  'confirmSecondFactor',
  'removeSecondFactor',
  'readUserFactor',
  'removeUserFactor',
  'logoutAs',
  'changePassword',
  'refresh',
  'login',
  'loginAs',
  'logout',
  'disableUser',
  'deleteUser',
  'exportUser',
  'setAllPasswords',
] as const satisfies readonly MethodName[]

/** What these refuse although they are asked rightly. */
const RIGHTLY_REFUSED: Readonly<Partial<Record<MethodName, RefusalCode>>> = {
  consumeResetToken: 'invalid',
  changePassword: 'invalid',
  deleteAccount: 'forbidden',
  confirmSecondFactor: 'invalid',
  removeSecondFactor: 'conflict',
  logoutAs: 'forbidden',
}

/** How a call ended: resolved, refused with a code, or anything else, which must not happen. */
async function outcomeOf(work: Promise<unknown>): Promise<'resolved' | RefusalCode> {
  try {
    await work
    return 'resolved'
  } catch (error) {
    if (isRefusal(error)) return error.code
    throw new Error(`no refusal: ${inspect(error)}`, { cause: error })
  }
}

for (const [name, urlIn] of Object.entries(STORES)) {
  describe(`an open Kennel on ${name}, asked by a host without types,`, () => {
    let opened: Opened
    let inputs: Record<MethodName, unknown[]>
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)

    before(async () => {
      opened = await openOn(urlIn)
      process.on('unhandledRejection', note)
    })
    beforeEach(async () => {
      inputs = await validAsks(opened.kennel)
    })
    after(async () => {
      await turn()
      process.off('unhandledRejection', note)
      await opened.kennel.close()
      opened.folder.remove()
      expect(unhandled).to.deep.equal([])
    })

    it('is asked for everything that it can do', () => {
      const { kennel } = opened
      const methods = Object.keys(kennel).filter((one) => typeof kennel[one as keyof Kennel] === 'function')
      const others = ['close', 'importUser', 'sessionCookie.set', 'sessionCookie.read']
      expect([...NAMES].sort()).to.deep.equal(Object.keys(inputs).sort())
      expect([...new Set([...methods, ...others])].sort()).to.deep.equal([...NAMES, 'close'].sort())
    })

    const ask = async (method: MethodName, position: Position, value: unknown) =>
      await outcomeOf(call(opened.kennel, method, withValue(inputs[method], position, value)))

    for (const method of NAMES) {
      it(`refuses or answers what is put anywhere into ${method}, of each hostile kind`, async () => {
        let asked = 0
        for (const position of positionsIn(inputs[method])) {
          for (const [kind, make] of Object.entries(HOSTILE)) {
            await ask(method, position, make()).catch((error: unknown) => {
              throw new Error(`${kind} at ${position.join('.')}: ${String(error)}`, { cause: error })
            })
            asked += 1
          }
        }
        expect(asked).to.equal(positionsIn(inputs[method]).length * Object.keys(HOSTILE).length)
      })

      it(`refuses or answers any value in any place of ${method}`, async () => {
        const position = fc.constantFrom(...positionsIn(inputs[method]))
        await fc.assert(
          fc.asyncProperty(position, anyValue, async (at, value) => {
            await ask(method, at, value())
          }),
          { numRuns: 150 },
        )
      })
    }
  })

  describe(`an open Kennel on ${name}, asked rightly,`, () => {
    let opened: Opened
    let inputs: Record<MethodName, unknown[]>
    before(async () => {
      opened = await openOn(urlIn)
    })
    beforeEach(async () => {
      inputs = await validAsks(opened.kennel)
    })
    after(async () => {
      await opened.kennel.close()
      opened.folder.remove()
    })

    for (const method of NAMES) {
      it(`finds no fault in the form of what ${method} is asked`, async () => {
        const outcome = await outcomeOf(call(opened.kennel, method, inputs[method]))
        expect(outcome).to.equal(RIGHTLY_REFUSED[method] ?? 'resolved')
      })
    }
  })
}
