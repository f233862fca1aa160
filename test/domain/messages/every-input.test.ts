import { expect } from 'chai'
import fc from 'fast-check'
import type { z } from 'zod'
import { createRecordReader } from '../../../src/adapters/oclif/import/record.js'
import {
  loginAsBodySchema,
  loginBodySchema,
  refreshBodySchema,
  resetBodySchema,
} from '../../../src/http/schemas/identity.js'
import { listQuerySchema } from '../../../src/http/endpoints/list-pets.js'
import { parsePetChange, petDraftSchema } from '../../../src/http/schemas/pet.js'
import { validate } from '../../../src/http/schemas/validate.js'
import { readInput, type Inputs } from '../../../src/embedding/inputs.js'
import { judgePermissions } from '../../../src/configuration/permissions-file.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permission-rules.js'
import { isRefusal } from '../../../src/domain/refusal.js'
import { openKennel, type Kennel } from '../../../src/index.js'
import { DELIVERS, GENEROUS, goodOptions } from '../../embedding/opening.js'
import { populate, validAsks } from '../../embedding/valid-inputs.js'

const NAME = String.raw`"(?:[^"\\]|\\.)*"`
const UNKNOWN = String.raw`unknown field ${NAME}(?: \(did you mean ${NAME}\?\))?`

/** The permitted formats of a message about a field. */
const SHAPES = [
  'required',
  'not-valid',
  'cannot be read',
  'must be (?:a string|a number|an integer|a positive integer|true or false|an object|an array|a function)',
  String.raw`must be an integer from \d+ to \d+`,
  String.raw`must be one of [\w-]+(?:, [\w-]+)*`,
  String.raw`must be an array of at most \d+`,
  'must contain at most 100 positive integers',
  'must be given once',
  'must be a time in milliseconds since 1970',
  'must be a positive integer or an email',
  'must be a Node request, a fetch request, or the headers of such a request',
  'must be a caller, such as OPERATOR, ANONYMOUS or an identity',
  'must be a change to a cat or a dog, matching the kind of the pet',
  'must be an action that can be permitted',
  'must be a string, or an object with conditions',
  'must be (?:true, or )?a duration from 30s to 365d, such as 10m',
  'needs fresh or factor',
  'must be an event of the audit log',
  String.raw`must have (?:at most )?\d+(?: to \d+)?(?: visible)? characters`,
  'must not contain control characters',
  'must contain age or hunts, or bark or breed',
  'must not mix age or hunts of a cat with bark or breed of a dog',
  `${UNKNOWN}(?:, ${UNKNOWN})*`,
]
const OURS = new RegExp(`^(?:${SHAPES.join('|')})$`, 'su')
const SENTENCE = `(?:(?:email|passwordHash|roles[.\\d]*): )?(?:${SHAPES.join('|')})`
/** Returns the message about one line of an import. */
const SENTENCES = new RegExp(`^${SENTENCE}(?:; ${SENTENCE})*$`, 'su')
/** The maximum length of an HTTP message, and of a message about a line of an import. */
const CUT = 200
const LINE_CUT = 300

function isOurs(message: string): boolean {
  return OURS.test(message) || (message.length === CUT && message.startsWith('unknown field "'))
}

function messagesOf(work: () => unknown): readonly string[] {
  try {
    work()
    return []
  } catch (error) {
    if (isRefusal(error)) return error.messages.map(({ message }) => message)
    throw error
  }
}

/** Checks that each message for a wrong value has a known format, and that at least `least` messages occur. */
function expectOurWords<T>(
  values: fc.Arbitrary<T>,
  judge: (value: T) => readonly string[],
  least = 50,
): void {
  let seen = 0
  fc.assert(
    fc.property(values, (value) => {
      const messages = judge(value)
      seen += messages.length
      expect(messages.filter((one) => !isOurs(one))).to.deep.equal([])
    }),
    { numRuns: 600 },
  )
  expect(seen).to.be.greaterThan(least)
}

const NAMES =
  'email emial password resetToken refreshToken userId name nmae tag category age hunts bark breed limit cursor ids roles passwordHash'
const name = fc.oneof(fc.constantFrom(...NAMES.split(' ')), fc.constantFrom(...NAMES.split(' ')), fc.string())
const body = fc.oneof(
  fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 }),
  fc.dictionary(name, fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.string())),
  fc.jsonValue(),
)

describe('validation messages', () => {
  const bodies: Readonly<Record<string, z.ZodType>> = {
    login: loginBodySchema,
    refresh: refreshBodySchema,
    'reset-password': resetBodySchema,
    'login-as': loginAsBodySchema,
    'POST /pets': petDraftSchema,
    'GET /pets': listQuerySchema,
  }
  for (const [route, schema] of Object.entries(bodies)) {
    it(`have a known format for every invalid body or query of ${route}`, () => {
      expectOurWords(body, (value) => messagesOf(() => validate(schema, value)))
    })
  }

  it('have a known format for every invalid body of PATCH /pets/{petId}', () => {
    const change = fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 })
    expectOurWords(change, (value) => messagesOf(() => parsePetChange(value)))
  })

  it('have a known format for every invalid line of an import', () => {
    expectOurWords(body, (value) => {
      const content = new TextEncoder().encode(JSON.stringify(value))
      const record = createRecordReader(undefined, () => 'lines')({ line: 1, content })
      if (record.kind !== 'refused') return []
      const ours = SENTENCES.test(record.message) || record.message.length === LINE_CUT
      return [ours ? 'required' : record.message]
    })
  })

  it('have a known format for every invalid permission file', () => {
    const rule = fc.oneof(body, fc.dictionary(fc.constantFrom('components', 'inherit', 'inherits'), body))
    const shape = fc.oneof(body, fc.record({ roles: fc.dictionary(name, rule) }))
    const semantic = /^(?:is an unknown component|names the unknown|is a cycle|is not a valid (?:role )?name)/
    expectOurWords(shape, (value) => {
      const outcome = judgePermissions(value)
      const rules = outcome.ok ? [] : outcome.errors.map((error) => error.rule)
      return rules.filter((one) => !semantic.test(one)).map((one) => one.replace(/^is (?:an )?/, ''))
    })
    expect(judgePermissions(DEFAULT_PERMISSIONS).ok).to.equal(true)
  })

  /** Methods that accept unknown members, because their input is a caller or a request from any framework. */
  const OF_ANY_MAKE = ['authorize', 'identify', 'identifyPage']

  describe('of an open Kennel instance', () => {
    let kennel: Kennel
    let inputs: Record<string, unknown[]>
    before(async () => {
      kennel = await openKennel(
        goodOptions({ store: 'memory:', permissions: GENEROUS, parts: { mailer: DELIVERS } }),
      )
      await populate(kennel)
      inputs = await validAsks(kennel)
    })
    after(() => kennel.close())

    it('name an unknown member in the input of every method that takes an object', async () => {
      for (const [method, [ask]] of Object.entries(inputs)) {
        if (typeof ask !== 'object' || ask === null || OF_ANY_MAKE.includes(method)) continue
        const [first = ''] = Object.keys(ask)
        const refusal = messagesOf(() => readInput(method as keyof Inputs, [{ ...ask, [`${first}x`]: 1 }]))
        expect(refusal, method).to.deep.equal([`unknown field "${first}x" (did you mean "${first}"?)`])
      }
    })
  })
})
