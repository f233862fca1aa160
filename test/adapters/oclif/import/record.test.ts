import { expect } from 'chai'
import { createRecordReader } from '../../../../src/adapters/oclif/import/record.js'

const CANARY = 'canary-in-a-line'

const TOTP = '{"email":"a@b.example","totp":{"secret":'

const reader = createRecordReader(undefined, () => 'lines')
const read = (text: string) => reader({ line: 1, content: Buffer.from(text) })

describe('the record reader', () => {
  it('accepts a line with all properties', () => {
    const totp = { secret: 'GE', algorithm: 'SHA256', digits: 8, period: 60 }
    const user = {
      ...{ email: 'ada@example.com', passwordHash: 'a hash', roles: ['editor'], disabled: true },
      totp,
    }
    expect(read(JSON.stringify(user))).to.deep.equal({ kind: 'user', user })
  })

  it('ignores a carriage return at the end and a byte order mark at the beginning', () => {
    const user = { email: 'ada@example.com' }
    expect(read(`\uFEFF${JSON.stringify(user)}\r`)).to.deep.equal({ kind: 'user', user })
  })

  it('recognizes an empty line', () => {
    for (const text of ['', ' ', '\t', '\r', '\uFEFF']) expect(read(text).kind, text).to.equal('empty')
  })

  for (const [name, text, message] of [
    ['no JSON', `{"email":"${CANARY}`, 'the line is not JSON'],
    ['two documents', '{"email":"a@b.example"} {}', 'the line is not JSON'],
    ['null', 'null', 'must be an object'],
    ['an array', `["${CANARY}"]`, 'must be an object'],
    ['no email', '{}', 'email: required'],
    ['an email that is not a string', '{"email":7}', 'email: must be a string'],
    ['an unknown member', `{"email":"a@b.example","password":"${CANARY}"}`, 'unknown field "password"'],
    ['the prototype as a member', '{"email":"a@b.example","__proto__":{}}', 'unknown field "__proto__"'],
    ['a hash that is null', '{"email":"a@b.example","passwordHash":null}', 'passwordHash: must be a string'],
    ['roles that are not a list', `{"email":"a@b.example","roles":"${CANARY}"}`, 'roles: must be an array'],
    [
      'a member that occurs twice',
      `{"email":"${CANARY}","\\u0065mail":"a@b.example"}`,
      'email: occurs twice',
    ],
    ['a member of the factor that occurs twice', `${TOTP}"GE","secret":"GE"}}`, 'totp.secret: occurs twice'],
    ['a factor with seven digits', `${TOTP}"GE","digits":7}}`, 'totp.digits: must be one of 6, 8'],
    ['a factor whose secret is not a string', `${TOTP}7}}`, 'totp.secret: must be a string'],
    ['a role that is not a string', '{"email":"a@b.example","roles":["a",1]}', 'roles.1: must be a string'],
  ] as const)
    it(`rejects ${name} without repeating any value`, () => {
      expect(read(text)).to.deep.equal({ kind: 'refused', message })
    })

  it('reports all errors of a line', () => {
    expect(read('{"email":1,"roles":{}}')).to.have.property('message').that.includes('; roles: ')
  })

  it('rejects a line that is not UTF-8, and a line that was dropped because it is too long', () => {
    const bytes = Buffer.from('{"email":"\u00E4@example.com"}', 'latin1')
    for (const [content, message] of [
      [bytes, 'the line is not UTF-8'],
      ['the line is too long', 'the line is too long'],
    ] as const)
      expect(reader({ line: 1, content })).to.deep.equal({ kind: 'refused', message })
  })

  it('truncates a message that would otherwise contain the whole line', () => {
    const record = read(JSON.stringify(Object.fromEntries(Array.from({ length: 999 }, (_, n) => [n, n]))))
    expect(record).to.have.property('message').with.length(300)
  })
})
