import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { workplaceOfTests, wrongUsageOf } from './app.js'
import { idOf, STEPS } from './every-command.js'

const EMAIL = 'ada@example.com'
const isFirst = (command: string) => ['user:create', 'role:create'].includes(idOf(command))

describe('the account argument of a command', () => {
  const place = workplaceOfTests()

  it('can be an account ID wherever an email is accepted', async () => {
    const tried = new Set<string>()
    for (const [command, status, input = ''] of STEPS) {
      if (!isFirst(command) && !command.includes(EMAIL)) continue
      const words = (isFirst(command) ? command : command.replace(EMAIL, '1')).split(' ')
      const { code, stdout, stderr } = await place.app(words, { input })
      expect(code, `${command} ${stdout} ${stderr}`).to.equal(status)
      if (!isFirst(command)) tried.add(idOf(command))
    }
    const named: string[] = []
    for (const [id, load] of Object.entries(COMMANDS))
      if ('email' in (await load()).args && id !== 'user:create') named.push(id)
    expect([...tried]).to.have.members(named)
  })

  it('cannot be an account ID if a password would be derived from the argument', async () => {
    await wrongUsageOf(place, 'user password 1')
  })
})
