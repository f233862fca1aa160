import { expect } from 'chai'
import type { Client } from 'pg'
import { until } from '../cli/workers.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import {
  becomes,
  PET_UNAVAILABLE,
  probe,
  refusedForNow,
  serveOn,
  type RealService,
} from '../mongodb-faults/real-service.js'
import { PETS } from '../support/http/pet-calls.js'
import { itStopsDuringOutage, itSurvivesOutages, loggedIn } from '../support/outages.js'
import { startCluster, type Cluster } from '../support/postgresql/cluster.js'
import { freshDatabase, inDatabase, type FreshDatabase } from '../support/postgresql/server.js'
import { describeWith } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

/** The number of concurrent calls, which exceeds the service's connection pool. */
const CALLS = 12
/** Error codes that report a problem of the server or the network, not of the store's SQL. */
const CODES = [
  ...[
    '08000',
    '08003',
    '08006',
    '25006',
    '28000',
    '40001',
    '40P01',
    '42501',
    '53000',
    '53100',
    '53200',
    '53300',
  ],
  ...['53400', '55000', '55006', '55P03', '57000', '57014', '57P01', '57P02', '57P03', '57P05', '58000'],
  ...['58030', 'XX000', 'XX001', 'XX002'],
]

describeWith('postgres', 'a service on PostgreSQL', () => {
  const leftovers = createLeftovers()
  let cluster: Cluster
  let database: FreshDatabase
  let service: RealService

  before(async () => {
    cluster = await startCluster(makeTemporaryFolder().path)
    leftovers.add(cluster.stop)
    database = await freshDatabase(cluster.urlOf())
    service = await serveOn(database.url, 3)
    leftovers.add(service.remove)
  })
  after(() => leftovers.clear())

  const subject = () => ({ server: cluster, service })
  const asAdmin = <T>(work: (admin: Client) => Promise<T>) => inDatabase(database.adminUrl, work)
  const sql = (text: string) => asAdmin((admin) => admin.query(text))
  const alter = (text: string) =>
    inDatabase(cluster.urlOf(), async (admin) => {
      await admin.query(`ALTER ${text}`)
      const ours = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${database.name}'`
      await admin.query(ours)
    })
  const postPet = () =>
    service.client.call('POST', PETS, { json: { name: 'Rex' }, headers: { 'X-API-Key': service.apiKey } })
  async function waiting(): Promise<number[]> {
    const { rows } = await sql(
      `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = '${database.name}'`,
    )
    return (rows as { pid: number }[]).map(({ pid }) => pid)
  }

  async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
    return await asAdmin(async (admin) => {
      await admin.query('BEGIN; LOCK TABLE kennel.pets')
      return await work()
    })
  }

  itSurvivesOutages(subject, { probes: 1 })

  it('aborts calls that wait too long for a lock, and does not use their connections again', async () => {
    const stuck = await whileLocked(async () => {
      const pending = Array.from({ length: CALLS }, postPet)
      await until(async () => (await waiting()).length > 0)
      const pids = await waiting()
      for (const reply of await Promise.all(pending))
        expect(refusedForNow(reply)).to.deep.equal(PET_UNAVAILABLE)
      return pids
    })
    const replies = await Promise.all(Array.from({ length: CALLS }, postPet))
    expect(replies.map(({ status }) => status)).to.deep.equal(replies.map(() => 201))
    await until(async () => {
      const { rowCount } = await sql(`SELECT 1 FROM pg_stat_activity WHERE pid IN (${stuck.join()})`)
      return rowCount === 0
    })
    await becomes(service, 200)
  })

  it('is not ready while the database is read-only, and recovers without a restart', async () => {
    const browser = await loggedIn(service)
    await alter(`DATABASE ${database.name} SET default_transaction_read_only = on`)
    expect(refusedForNow(await postPet())).to.deep.equal(PET_UNAVAILABLE)
    expect(await probe(service)).to.equal(503)
    expect((await browser.getIdentity()).status).to.equal(200)
    await alter(`DATABASE ${database.name} RESET default_transaction_read_only`)
    await becomes(service, 200)
    expect((await postPet()).status).to.equal(201)
  })

  it('never responds with 500, regardless of the error code, and each 201 response creates one pet', async () => {
    await sql(`
      CREATE TABLE failure (code text);
      INSERT INTO failure VALUES (NULL);
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE injected text := (SELECT code FROM public.failure);
      BEGIN
        IF injected IS NOT NULL THEN RAISE EXCEPTION 'injected' USING ERRCODE = injected; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER failing BEFORE INSERT ON kennel.pets FOR EACH ROW EXECUTE FUNCTION fail();
      ALTER TABLE failure OWNER TO ${database.name}`)
    const replies: [code: string, status: number][] = []
    for (const code of CODES) {
      await sql(`UPDATE failure SET code = '${code}'`)
      replies.push([code, (await postPet()).status])
      await sql('UPDATE failure SET code = NULL')
      expect((await postPet()).status, code).to.equal(201)
    }
    expect(replies.filter(([, status]) => status !== 503)).to.deep.equal([])
    expect(service.serving.log()).to.not.contain('request failed')
    await becomes(service, 200)
  })

  itStopsDuringOutage(subject)
})
