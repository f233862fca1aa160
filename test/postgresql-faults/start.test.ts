import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { openPostgres } from '../../src/adapters/postgresql/store.js'
import { isTransient } from '../../src/domain/refusal.js'
import { refusalOf } from '../support/refusal-of.js'
import { dataFolder } from '../support/memory-folder.js'
import { ENCRYPTED, FAST, GUARDED, startCluster, type Cluster } from '../support/postgresql/cluster.js'
import { FIXTURE_URL, freshDatabase, inDatabase, type FreshDatabase } from '../support/postgresql/server.js'
import { own } from '../support/postgresql/unprivileged.js'
import { PROJECT } from '../support/project.js'
import { describeWith } from '../support/required-tools.js'

/** The password in every URL below: no error may contain it. */
const CANARY = 'c4nary-p4ssw0rd'

/** Changes a new database; `query` runs as the superuser. May return a URL to use instead of the database's URL. */
type Spoil = (
  database: FreshDatabase,
  query: (sql: string) => Promise<unknown>,
) => Promise<string | undefined>

const having =
  (...statements: readonly string[]): Spoil =>
  async ({ url }) => {
    await inDatabase(url, (client) => client.query(statements.join(';')))
    return undefined
  }
const asRole = (url: string, username: string) => Object.assign(new URL(url), { username }).href
/** A file without a certificate. */
const FILE = join(PROJECT, 'package.json')
const FOREIGN =
  'The schema in DATABASE_SCHEMA belongs to another program: set DATABASE_SCHEMA to another schema.'

type Problems = Readonly<Record<string, readonly [sentence: string | RegExp, spoil: Spoil]>>

/** Problems that do not resolve themselves, so the service exits. */
const LASTING: Problems = {
  'the driver cannot parse the URL': [
    'DATABASE_URL is not a connection string that the PostgreSQL driver understands.',
    () => Promise.resolve('postgresql://@127.0.0.1:54321:5/kennel'),
  ],
  'the server rejects the password': [
    'PostgreSQL rejected the user name or the password in DATABASE_URL.',
    async ({ url }, query) => {
      await query(`DROP ROLE IF EXISTS ${GUARDED}; CREATE ROLE ${GUARDED} LOGIN PASSWORD 'another one'`)
      return asRole(url, GUARDED)
    },
  ],
  'the URL has no password, and the server requires one': [
    'The PostgreSQL server requires a password, but DATABASE_URL has none.',
    async ({ url }, query) => {
      await query(`DROP ROLE IF EXISTS ${GUARDED}; CREATE ROLE ${GUARDED} LOGIN PASSWORD 'another one'`)
      const { host, pathname } = new URL(url)
      return `postgresql://${host}${pathname}?user=${GUARDED}`
    },
  ],
  'the file of the client certificate has no certificate': [
    /^No connection to PostgreSQL can be established: ERR_OSSL_\w+\.$/,
    ({ url }) => Promise.resolve(`${url}?sslmode=verify-full&sslcert=${FILE}&sslkey=${FILE}`),
  ],
  'the database does not exist': [
    'The database in DATABASE_URL does not exist: create it with createdb.',
    ({ url }) => Promise.resolve(`${url}_missing`),
  ],
  'the schema has tables of another program': [
    FOREIGN,
    having('CREATE SCHEMA kennel', 'CREATE TABLE kennel.pets (name text)'),
  ],
  'the server is too old': [
    'The PostgreSQL server is too old: it is version 13.14, and must be version 14 or newer.',
    async ({ name, url }, query) => {
      await query(`
        CREATE SCHEMA old AUTHORIZATION ${name};
        CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql AS $$
          SELECT CASE $1 WHEN 'server_version' THEN '13.14' ELSE '130014' END
        $$;
        ALTER ROLE ${name} SET search_path = old, pg_catalog`)
      return url
    },
  ],
  'the server requires TLS': [
    'PostgreSQL has no such user, rejects its address, or requires TLS: check DATABASE_URL and pg_hba.conf.',
    ({ url }) => Promise.resolve(asRole(url, ENCRYPTED)),
  ],
  'the server does not have the required TLS': [
    'The PostgreSQL server does not support TLS, which DATABASE_URL requires.',
    () => Promise.resolve(`${process.env[FIXTURE_URL] ?? ''}?sslmode=verify-full`),
  ],
  'the certificate of the server is from an unknown authority': [
    'The certificate of the PostgreSQL server is not valid: DEPTH_ZERO_SELF_SIGNED_CERT.',
    ({ url }) => Promise.resolve(`${url}?sslmode=verify-full`),
  ],
  'the certificate of the authority is missing': [
    'sslrootcert in DATABASE_URL names a file that cannot be read (ENOENT).',
    ({ url }) => Promise.resolve(`${url}?sslmode=verify-full&sslrootcert=/missing.pem`),
  ],
  'the key file is a device': [
    'sslkey in DATABASE_URL names a file that cannot be read (not a regular file).',
    ({ url }) => Promise.resolve(`${url}?application_name=a?b&sslkey=/dev/zero`),
  ],
  'the role may not create the schema': [
    'The PostgreSQL role lacks a privilege: let it own the schema in DATABASE_SCHEMA.',
    async ({ url }, query) => {
      await query('CREATE ROLE visitor LOGIN')
      return asRole(url, 'visitor')
    },
  ],
}

/** Problems that may end without a change to the configuration, so that the service waits instead of exiting. */
const TEMPORARY: Problems = {
  'no server listens': [
    'No PostgreSQL server can be reached: ECONNREFUSED.',
    () => Promise.resolve('postgresql://kennel@127.0.0.1:1/kennel'),
  ],
  'the host is unknown': [
    /^No PostgreSQL server can be reached: (ENOTFOUND|EAI_AGAIN)\.$/,
    () => Promise.resolve('postgresql://kennel@no-such-host.invalid/kennel'),
  ],
  'the role has no connection left': [
    'The PostgreSQL server has too many connections: raise max_connections, or lower pool_size in DATABASE_URL.',
    async ({ name }, query) => {
      await query(`ALTER ROLE ${name} CONNECTION LIMIT 0`)
      return undefined
    },
  ],
  'the database accepts no connections': [
    'The PostgreSQL database accepts no connections.',
    async ({ name }, query) => {
      await query(`UPDATE pg_database SET datallowconn = false WHERE datname = '${name}'`)
      return undefined
    },
  ],
}

describeWith('postgres', 'a PostgreSQL that the service cannot use', () => {
  const leftovers = createLeftovers()
  let cluster: Cluster
  let database: FreshDatabase
  const query = (sql: string) => inDatabase(database.adminUrl, (client) => client.query(sql))

  before(async () => {
    const folder = dataFolder()
    const files = ['certificate', 'key'].map((name) => copyFor(folder, `test-only-${name}.pem`))
    const [ssl_cert_file = '', ssl_key_file = ''] = files
    cluster = await startCluster(folder, { ...FAST, ssl: 'on', ssl_cert_file, ssl_key_file })
    leftovers.add(cluster.stop)
  })
  after(() => leftovers.clear())
  beforeEach(async () => {
    database = await freshDatabase(cluster.urlOf())
  })
  afterEach(() => database.drop())

  for (const problems of [LASTING, TEMPORARY])
    for (const [problem, [sentence, spoil]] of Object.entries(problems))
      it(`is reported, without the password, if ${problem}`, async () => {
        const url = (await spoil(database, query)) ?? database.url
        const refusal = await refusalOf(openPostgres(url.replace('@', `:${CANARY}@`)))
        if (typeof sentence === 'string') expect(refusal.detail).to.equal(sentence)
        else expect(refusal.detail).to.match(sentence)
        expect(isTransient(refusal)).to.equal(problems === TEMPORARY)
        expect(inspect(refusal, { depth: null })).to.not.contain(CANARY)
      })
})

/** A copy that only the server's user may read. */
function copyFor(folder: string, name: string): string {
  const path = join(folder, name)
  copyFileSync(join(PROJECT, 'test', 'support', 'mail', name), path)
  chmodSync(path, 0o600)
  own(path)
  return path
}
