import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Email } from '../../src/domain/identity/email.js'
import { workplaceOfTests } from './app.js'
import { onTerminal } from './terminal.js'

const PASSWORD = 'canary on a terminal'
/** Characters in these tests that a terminal would act on, except the carriage return at the end of each line. */
const ACTED_ON = /\u202e/u
const FIRST = 'Password: '
const SECOND = 'Password, again: '

describe('app in a terminal', () => {
  const place = workplaceOfTests({ shared: true })

  const standardOutput = async () => await readFile(join(place.folder, 'out'), 'utf8')

  it('asks for the password twice and never displays the password', async () => {
    const { code, text } = await onTerminal(place, 'user create ada@example.com > out', [
      { after: FIRST, text: `${PASSWORD}\r` },
      { after: SECOND, text: `${PASSWORD}\r` },
    ])
    expect([code, JSON.parse(await standardOutput())], text).to.deep.equal([0, { errors: [], save: 1 }])
    expect(text).to.not.contain('canary')
    const service = await place.serve()
    const reply = await service.logIn('ada@example.com', PASSWORD)
    await service.stop()
    expect(reply.status).to.equal(200)
  })

  it('hides input that is typed before the prompt', async () => {
    const { code, text } = await onTerminal(place, 'user create ahead@example.com > out', [
      { after: FIRST, text: `${PASSWORD}\r${PASSWORD}\r` },
    ])
    expect([code, JSON.parse(await standardOutput())], text).to.deep.equal([0, { errors: [], save: 1 }])
    expect(text).to.not.contain('canary')
  })

  it('rejects two different passwords as a usage error', async () => {
    const { code, text } = await onTerminal(place, 'user create bob@example.com > out', [
      { after: FIRST, text: `${PASSWORD}\r` },
      { after: SECOND, text: 'another one\r' },
    ])
    expect([code, await standardOutput()]).to.deep.equal([2, ''])
    expect(text).to.contain('The two passwords differ.').and.to.not.contain('canary')
  })

  it('uses the fallback password, with a warning, if the input is empty', async () => {
    const { code, text } = await onTerminal(place, 'user password ada@example.com > out', [
      { after: FIRST, text: '\r' },
    ])
    expect([code, JSON.parse(await standardOutput())]).to.deep.equal([
      0,
      { User: { matched: 1, save: 1, errors: [] } },
    ])
    expect(text.replace(/\s+[›\s]*/g, ' ')).to.contain('easy to guess')
  })

  for (const [name, key] of [
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ] as const) {
    it(`makes no change on ${name}`, async () => {
      const { code } = await onTerminal(place, 'user create carol@example.com > out', [
        { after: FIRST, text: key },
      ])
      expect([code, await standardOutput()]).to.deep.equal([2, ''])
    })
  }

  it('escapes control characters in tables, JSON and errors', async () => {
    const label = 'Edi\u202etor'
    // Version 0.1.0 accepted this email.
    const email = 'old\u202e@example.com' as Email
    await place.onStore(async ({ accounts }) => await accounts.insert({ email, createdAt: 0 }))
    await place.app(['role', 'create', 'editor', label])
    for (const [command, shown] of [
      ['role list', 'Edi\\u202etor'],
      ['user list --json', 'old\\u202e@example.com'],
    ] as const) {
      const { text } = await onTerminal(place, command)
      expect(text).to.contain(shown).and.not.match(ACTED_ON)
    }
    const { text } = await onTerminal(place, `user role old@example.com 'un\u202eknown'`)
    expect(text).to.contain('"save":0').and.not.match(ACTED_ON)
    const [role] = JSON.parse((await place.app(['role', 'list'])).stdout) as [{ label: string }]
    expect(role.label).to.equal(label)
  })
})
