import { expect } from 'chai'
import {
  isRefusal,
  Refusal,
  REFUSAL_CODES,
  TooManyAttempts,
  type unavailable,
} from '../../src/domain/refusal.js'

type Copy = { readonly Refusal: typeof Refusal; readonly unavailable: typeof unavailable }

/** The module once more, as where a dependency brings a version of its own. */
async function anotherCopy(): Promise<Copy> {
  const url = new URL('../../src/domain/refusal.js?another', import.meta.url)
  return (await import(url.href)) as Copy
}

describe('isRefusal', () => {
  const messages = [{ field: '', type: 'Format', message: 'no' }] as const

  for (const code of REFUSAL_CODES) {
    it(`knows a refusal of the code ${code}`, () => {
      expect(isRefusal(new Refusal(code, messages))).to.equal(true)
    })
  }

  it('knows the refusals that are classes of their own', () => {
    expect(isRefusal(new TooManyAttempts(1_000))).to.equal(true)
  })

  it('knows a refusal of another copy of this module, which is of another class', async () => {
    const copy = await anotherCopy()
    const refusal: unknown = copy.unavailable('elsewhere')
    expect(refusal).not.to.be.instanceOf(Refusal)
    expect(isRefusal(refusal)).to.equal(true)
  })

  const error = (members: object) => Object.assign(new Error('no'), members)
  const ALIKE: Readonly<Record<string, unknown>> = {
    'an object that holds the same and is no error': { code: 'forbidden', messages, message: 'no' },
    'an error of the system': error({ code: 'ENOENT', messages: [] }),
    'an error with one of our codes and no messages': error({ code: 'unavailable' }),
    'an error with one of our codes and messages of another kind': error({ code: 'stale', messages: 'no' }),
    'an error with messages and no code': error({ messages: [] }),
    'an error with a code that is no text': error({ code: 401, messages: [] }),
    'an error with a code that only looks like one': error({ code: ['forbidden'], messages: [] }),
    'an error with the name of a member of every object': error({ code: 'toString', messages: [] }),
    'a text': 'forbidden',
    null: null,
    undefined,
  }
  for (const [name, value] of Object.entries(ALIKE)) {
    it(`does not take ${name} for one`, () => {
      expect(isRefusal(value)).to.equal(false)
    })
  }
})
