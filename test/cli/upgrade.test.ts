import { expect } from 'chai'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { MIGRATIONS } from '../../src/adapters/sqlite/schema.js'
import { VERSION } from '../../src/domain/version.js'
import { workplaceOfTests } from './app.js'
import { SERVER_STORE } from '../support/server-stores.js'

type Checked = {
  readonly answer: string
  readonly reason: string
  readonly instances: readonly { readonly id: string; readonly release: string; readonly servedAt: string }[]
}
type Refused = { readonly errors: readonly { readonly message: string }[]; readonly save: number }

describe('app upgrade', () => {
  const place = workplaceOfTests()

  const check = async () => {
    const [code, printed] = await place.run('upgrade check')
    return { code, ...(printed as Checked) }
  }

  it('lists a service with its workers as one instance until the service stops', async () => {
    const serving = await place.serve({ WORKERS: '2' })
    const during = await check()
    await serving.stop()
    expect([during.code, during.answer]).to.deep.equal([0, 'rolling'])
    expect(during.instances.map(({ release }) => release)).to.deep.equal([VERSION])
    expect(during.instances[0]?.id).to.match(new RegExp(`/${String(serving.child.pid)}/`))
    expect(during.instances[0]?.servedAt).to.match(/^\d{4}-/)
    expect((await check()).instances).to.deep.equal([])
  })

  it('does not list commands as instances, and finishes if there is nothing to remove', async () => {
    await place.run('user create ada@example.com')
    expect((await check()).instances).to.deep.equal([])
    const unchanged = [0, { errors: [], save: 0, unchanged: 1 }]
    expect(await place.run('upgrade finish')).to.deep.equal(unchanged)
    expect(await place.run('upgrade finish')).to.deep.equal(unchanged)
  })
})

if (!SERVER_STORE)
  describe('a SQLite file of an earlier release', () => {
    const place = workplaceOfTests()
    const file = () => join(place.folder, 'app.db')

    /** A file of release 0.8.0. */
    beforeEach(async () => {
      rmSync(file())
      const connection = await connect(file())
      const marks = 'PRAGMA journal_mode = WAL; PRAGMA application_id = 1263423052; PRAGMA user_version = 21'
      for (const statement of [...MIGRATIONS.slice(0, 21), marks]) connection.exec(statement)
      connection.close()
    })

    const states = () => readFileSync(file())

    it('cannot be upgraded while the service runs, and no other command upgrades it', async () => {
      const before = states()
      const [code, printed] = await place.run('upgrade check')
      const { answer, reason } = printed as Checked
      expect([code, answer]).to.deep.equal([3, 'stop-first'])
      expect(reason).to.contain('Releases up to 0.8.0 leave no record')
      for (const command of ['user list', 'user create ada@example.com', 'store purge', 'store create']) {
        const refused = await place.app(command.split(' '))
        expect(refused.code, command).to.equal(1)
        expect(refused.stderr + refused.stdout, command).to.contain('has schema version 21')
      }
      expect(states().equals(before)).to.equal(true)
    })

    it('is upgraded by the service, and finished by a command afterwards', async () => {
      const [code, printed] = await place.run('upgrade finish')
      expect([code, (printed as Refused).save]).to.deep.equal([3, 0])
      expect((printed as Refused).errors[0]?.message).to.contain('start the service first')
      await (await place.serve()).stop()
      expect((await place.run('user list'))[0]).to.equal(0)
      expect((await place.run('upgrade finish'))[0]).to.equal(0)
    })
  })
