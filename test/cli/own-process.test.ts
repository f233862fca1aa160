import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { makeWorkplace, type CommandOptions, type Outcome, type Workplace } from './app.js'

/** Every command, in an order that prepares its data, and some that are rejected or wrongly used. */
const STEPS: readonly (readonly [command: string, status: 0 | 1 | 2, input?: string])[] = [
  ['role create editor Editor', 0],
  ['role create editor Editor', 1],
  ['role list', 0],
  ['user create ada@example.com --password-stdin', 0, 'a good long password'],
  ['user password ada@example.com --password-stdin', 0, 'another good password'],
  ['user role ada@example.com editor', 0],
  ['user disable ada@example.com', 0],
  ['user enable ada@example.com', 0],
  ['user list', 0],
  ['user duplicates', 0],
  ['user export ada@example.com', 0],
  ['user show ada@example.com', 0],
  ['user factor ada@example.com', 0],
  ['user factor ada@example.com --remove', 1],
  ['user import accounts.ndjson', 1],
  ['user help', 0],
  ['session list ada@example.com', 0],
  ['session revoke ada@example.com', 0],
  ['apikey create Shop --role editor', 0],
  ['apikey list', 0],
  ['apikey revoke 1', 0],
  ['key generate', 0],
  ['audit list', 0],
  ['audit list --since yesterday', 2],
  ['store copy --to sqlite:./copy.db', 0],
  ['store purge', 0],
  ['store create', 0],
  ['user delete ada@example.com', 0],
  ['autocomplete', 0],
  ['user promote', 2],
]
/** Parts that differ from run to run: keys, identifiers and times. */
const CHANGING = /kennel_[\w-]{43}|Kennel1-[\w-]+|"(?:uu)?id":"[\w-]{20,}"|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/**
 * Most tests run commands in the process of the tests. These tests show that the executable of an operator prints the
 * same, on the same stream and with the same status.
 */
describe('app as a separate process', () => {
  let [here, there]: Workplace[] = []

  before(async () => {
    ;[here, there] = [await makeWorkplace(), await makeWorkplace()]
    for (const { folder } of [here, there])
      await writeFile(join(folder, 'accounts.ndjson'), '{"email":"eve@example.com"}\n{"email":"no email"}\n')
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
      expect(own && lasting(own, there)).to.deep.equal(shared && lasting(shared, here))
    })
  }

  it('has run every command except serve, whose tests all start a process', () => {
    const ids = STEPS.map(([command]) => command.split(' ').slice(0, 2).join(':'))
    expect(Object.keys(COMMANDS).filter((id) => !ids.includes(id))).to.deep.equal(['serve'])
  })
})

function lasting({ code, stdout, stderr }: Outcome, place: Workplace | undefined): unknown {
  const inPlace = (text: string) => text.replaceAll(place?.folder ?? '', '')
  return [code, ...[stdout, stderr].map((text) => inPlace(text).replaceAll(CHANGING, '…'))]
}
