import { userInfo } from 'node:os'
import { expect } from 'chai'
import { workplaceOfTests } from './app.js'

const PASSWORD = 'a good long password'
const OPERATOR = `cli:${userInfo().username}`

type Row = Readonly<Record<string, unknown>>

describe('the audit log of the command line', () => {
  const place = workplaceOfTests()

  const auditRows = async () => JSON.parse((await place.app(['audit', 'list'])).stdout) as Row[]
  const run = (command: string, env: Record<string, string> = {}) =>
    place.app(command.split(' '), { env, input: PASSWORD })

  const made = { event: 'user.create', actor: OPERATOR, subject: 'account:1', outcome: 'success' }
  const shown = { address: null, requestId: null, actorEmail: null, subjectEmail: 'ada@example.com' }
  for (const [audit, isStored, isLogged] of [
    ['store by default', true, false],
    ['off', false, false],
    ['log', false, true],
    ['log, store', true, true],
  ] as const)
    it(`is written to the target in AUDIT, with the system user as actor: ${audit}`, async () => {
      const env = audit === 'store by default' ? {} : { AUDIT: audit }
      const { stdout, stderr } = await run('user create ada@example.com --password-stdin', env)
      expect(stdout).to.equal('{"errors":[],"save":1}\n')
      const lines = stderr.split('\n').filter((line) => line !== '')
      const logged = lines.map((line) => JSON.parse(line) as Row)
      const stored = (await auditRows()).map(({ at: _, id: __, ...row }) => row)
      expect(stored).to.deep.equal(isStored ? [{ ...made, ...shown }] : [])
      expect(logged.map(({ time: _, ...line }) => line)).to.deep.equal(
        isLogged ? [{ level: 'info', event: 'audit', audit: made }] : [],
      )
    })
})
