import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Pool } from 'pg'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { Kennel } from '../../src/index.js'
import { installBuilt } from '../support/built-package.js'
import { expectShows } from '../support/pages/blocks.js'
import { freshDatabase, type FreshDatabase } from '../support/postgresql/server.js'
import { PROJECT } from '../support/project.js'
import { describeWith } from '../support/required-tools.js'
import { GOOD_PASSPHRASE } from '../configuration/reading.js'
import { suiteFolder } from '../support/temporary-folder.js'

type Order = { readonly email: string; readonly password: string; readonly seat: string }
type Shop = {
  readonly kennel: Kennel
  readonly pool: Pool
  readonly order: (order: Order) => Promise<number>
  readonly close: () => Promise<void>
}

const PASSWORD = 'a long walk in the park'
const [ADA, BOB] = ['ada@example.com', 'bob@example.com']
const caller = OPERATOR

describe('the page about orders in PostgreSQL', () => {
  it('shows the example verbatim', () => {
    expectShows('docs/embed/orders-in-postgresql.md', 'express-postgresql', ['shop.js'])
  })
})

describeWith('postgresql', 'the example express-postgresql', () => {
  const inFolder = suiteFolder()
  let database: FreshDatabase
  let shop: Shop

  before(() => {
    cpSync(join(PROJECT, 'examples', 'express-postgresql'), inFolder(), { recursive: true })
    installBuilt(inFolder(), { '.': 'index', './postgresql': 'adapters/postgresql/index' }, ['pg'])
  })
  beforeEach(async () => {
    database = await freshDatabase()
    const { openShop } = (await import(pathToFileURL(join(inFolder(), 'shop.js')).href)) as {
      readonly openShop: (environment: Record<string, string>) => Promise<Shop>
    }
    shop = await openShop({
      DATABASE_URL: database.url,
      SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE,
      PUBLIC_URL: 'http://127.0.0.1:3000',
    })
  })
  afterEach(async () => {
    await shop.close()
    await database.drop()
  })

  const contents = async () => ({
    accounts: (await shop.kennel.listUsers({ caller, limit: 10 })).map(({ email }) => email),
    events: (await shop.kennel.listAudit({ caller, limit: 10 })).map(({ event }) => event),
    orders: (await shop.pool.query('SELECT seat, account_id::int AS id FROM orders')).rows as unknown[],
  })
  const outcomeOf = async (order: Order) =>
    await shop.order(order).catch((error: unknown) => (error as { readonly code?: string }).code)

  it('leaves no account or audit record if the order fails, and the email is free for the next order', async () => {
    await shop.order({ email: ADA, password: PASSWORD, seat: '1A' })
    const before = await contents()
    expect(await outcomeOf({ email: BOB, password: PASSWORD, seat: '1A' })).to.equal('23505')
    expect(await contents()).to.deep.equal(before)
    await shop.order({ email: BOB, password: PASSWORD, seat: '1B' })
    expect((await contents()).accounts).to.deep.equal([ADA, BOB])
  })

  it('gives a seat to only one of several concurrent orders', async () => {
    const emails = ['ada', 'bob', 'cid'].map((name) => `${name}@example.com`)
    const outcomes = await Promise.all(
      emails.map((email) => outcomeOf({ email, password: PASSWORD, seat: '1A' })),
    )
    expect(outcomes.filter((outcome) => outcome === '23505')).to.have.lengthOf(2)
    const { accounts, orders } = await contents()
    expect([accounts.length, orders.length]).to.deep.equal([1, 1])
  })
})
