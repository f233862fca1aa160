import { expect } from 'chai'
import { aPet } from '../../src/contracts/samples.js'
import { notPermitted } from '../../src/domain/refusal.js'
import { COMMANDS } from '../../src/program/commands.js'
import type { Outcome } from '../support/outcome.js'
import { makeWorkplace, type CommandOptions, type Workplace } from './app.js'
import { idOf, STEPS } from './every-command.js'

const CHANGING = /kennel_[\w-]{43}|Kennel1-[\w-]+|"(?:uu)?id":"[\w-]{20,}"|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/**
 * Most tests run commands inside the test process. These tests show that the installed executable prints the same output on the same
 * stream, with the same exit status.
 */
describe('app in a separate process', () => {
  let [here, there]: Workplace[] = []

  before(async () => {
    ;[here, there] = [await makeWorkplace(), await makeWorkplace()]
    // No command creates a pet.
    for (const place of [here, there]) await place.onStore(({ pets }) => pets.insert(aPet('Rex')))
  })
  after(async () => {
    await here?.remove()
    await there?.remove()
  })

  for (const [command, status, input] of STEPS) {
    it(`app ${command}: ${String(status)}`, async () => {
      const options: CommandOptions = { ...(input !== undefined && { input }), env: { AUDIT: 'store,log' } }
      const own = await there?.child(command.split(' '), options)
      const shared = await here?.app(command.split(' '), options)
      expect(own?.code).to.equal(status)
      expect(own?.stdout).to.not.contain(notPermitted('').messages[0]?.message)
      expect(own && lasting(own, there)).to.deep.equal(shared && lasting(shared, here))
    })
  }

  it('has its output searched for secrets', async () => {
    await here?.app(['role', 'create', 'leaking', `kennel_${'k'.repeat(43)}`])
    const found = await here?.app(['role', 'list']).catch((error: unknown) => String(error))
    expect(found).to.equal('Error: a secret appears in the output of app role list: API key')
  })

  it('runs every command except serve, because the tests of serve start a separate process anyway', () => {
    const ids = STEPS.map(([command]) => idOf(command))
    expect(Object.keys(COMMANDS).filter((id) => !ids.includes(id))).to.deep.equal(['serve'])
  })
})

function lasting({ code, stdout, stderr }: Outcome, place: Workplace | undefined): unknown {
  const inPlace = (text: string) => text.replaceAll(place?.folder ?? '', '')
  return [code, ...[stdout, stderr].map((text) => inPlace(text).replaceAll(CHANGING, '…'))]
}
