// The plan of the tests. A pattern is a path below test/ without its ending: `*` stands for a part of a name, `**` for any path, `{a,b}`
// for alternatives.

/** Factors in which the services under test differ. `npm test` uses the first value of each factor. */
export const FACTORS = {
  store: ['sqlite', 'mongodb', 'postgresql'],
  host: ['koa', 'web'],
  tokens: ['HS512', 'EdDSA', 'v4.public'],
  mode: ['stateful', 'stateless'],
}

/** The combinations that CI runs. Every pair of values occurs in at least one row. `npm test` and the parts below use the first row. */
export const ROWS = [
  { store: 'sqlite', host: 'koa', tokens: 'HS512', mode: 'stateful' },
  { store: 'mongodb', host: 'koa', tokens: 'v4.public', mode: 'stateful' },
  { store: 'sqlite', host: 'web', tokens: 'EdDSA', mode: 'stateful' },
  { store: 'mongodb', host: 'web', tokens: 'HS512', mode: 'stateless' },
  { store: 'mongodb', host: 'koa', tokens: 'EdDSA', mode: 'stateless' },
  { store: 'sqlite', host: 'web', tokens: 'v4.public', mode: 'stateless' },
  { store: 'postgresql', host: 'koa', tokens: 'EdDSA', mode: 'stateful' },
  { store: 'postgresql', host: 'web', tokens: 'v4.public', mode: 'stateful' },
  { store: 'postgresql', host: 'web', tokens: 'HS512', mode: 'stateless' },
]

/**
 * The factors on which tests of the HTTP interface depend; the first entry that matches a file applies. A file runs in as many rows as are
 * needed to cover every pair of its factors' values, and only in rows with the entry's `mode`. Other files depend only on the Node version.
 */
export const VARIES = [
  {
    on: [],
    files: [
      'http/{request,reply}/**',
      'http/description/{examples,memory}',
      'http/endpoints',
      'http/server/{mounted,pipelining,secret-hunt,server}',
      'client/{options,package}',
    ],
  },
  {
    on: ['host'],
    mode: 'stateful',
    files: [
      'http/{description,server}/**',
      'http/identity/methods',
      'adapters/scrypt/password-hasher',
      'cli/hardened-node',
      'http/recorded-replies',
      'client/**',
      'browser/{example,foreign-page}',
    ],
  },
  { on: ['store', 'host'], files: ['http/{metrics,pets}/**'] },
  { on: ['store', 'host', 'tokens', 'mode'], files: ['http/identity/**'] },
]

/**
 * The parts of the suite. A file belongs to the first part that lists it; `npm test` runs the files that no part lists.
 * - `disk`: the tests keep their files on disk, not in memory.
 * - `server`: the only database server that the part starts, or `none`. If the server is not available, the part is skipped.
 * - `jobs`: the number of files that run concurrently, if the number of cores should not determine it.
 * - `always`: files that every CI run includes.
 * - `of`: CI divides the other files into this many groups, and runs one group per commit, in turn.
 */
export const PARTS = [
  {
    name: 'thorough',
    what: 'several processes on one store, kill -9 at random moments, the steps in the handbook, and checks of all source files',
    disk: true,
    files: [
      '{architecture,documentation,durability,handbook,upgrades,withstand}/**',
      'adapters/**/{processes,explain}',
      'cli/{store-module,workers,workers-log}',
      'examples/users-table',
      'http/description/examples',
      'embedding/hostile',
      'simulation/{planted,many-histories}',
    ],
    always: [
      'architecture/{bundle,entries,locks,mirrors,names,purity,words}',
      'documentation/{changelog,documentation,command-flags,package-names,performance-page,setting-names,structure-page}',
      'handbook/{contribute,drawings,map,operate-facts,output,readme,references}',
      'upgrades/campaigns',
    ],
    of: 3,
  },
  {
    name: 'slow',
    what: 'races in many rounds, and tests that start a program or a service each',
    files: [
      '{bench,adapters/pino/log,contracts/mailer}/**',
      'adapters/keyring/guessable',
      'adapters/nodemailer/{message,smtp-mailer/outcomes,smtp-mailer/security}',
      'application/{accounts/users/remove-account,copy-store/while-written}',
      'application/mail/{mail-workers,send-mails,sift-mails}',
      'http/identity/rotation',
      'contracts/bridge/**',
      'cli/{folders-and-streams,lists,loading,missing-store,own-process}',
      'cli/{serve*,store,terminal,unread-log,user-import}',
      'http/server/{client-error,log-injection,pipelining}',
      'http/request/linear',
      'http/pets/basic-flood',
      'client/package',
      'embedding/**/{open,partial-store}',
      'composition-root/custom-parts/part-error',
      'contracts/token-format/token-format',
      'adapters/scrypt/password-hasher',
      'cli/hardened-node',
      'http/recorded-replies',
    ],
    always: ['http/recorded-replies', 'cli/serve', 'embedding/open'],
    of: 3,
  },
  {
    name: 'mongodb',
    what: 'the MongoDB adapter, and the store laws on one server and on three',
    server: 'mongodb',
    files: ['contracts/mongodb*', 'adapters/mongodb/**'],
    always: ['contracts/mongodb'],
    of: 2,
  },
  {
    name: 'mongodb-faults',
    what: 'MongoDB servers that are killed, isolated or slowed down',
    server: 'mongodb',
    disk: true,
    // Elections of these servers must finish in time.
    jobs: 2,
    files: ['mongodb-faults/**'],
    of: 3,
  },
  {
    name: 'postgresql',
    what: 'the PostgreSQL adapter, and the store laws',
    server: 'postgresql',
    files: ['contracts/postgresql', 'adapters/postgresql/**'],
    always: ['contracts/postgresql'],
    of: 2,
  },
  {
    name: 'postgresql-faults',
    what: 'PostgreSQL servers that are killed, demoted or out of disk space',
    server: 'postgresql',
    disk: true,
    jobs: 2,
    files: ['postgresql-faults/**'],
    of: 3,
  },
  {
    name: 'package',
    what: 'the package as it is installed and bundled, the examples, the laws under three runners; needs the registry',
    server: 'none',
    disk: true,
    jobs: 3,
    files: ['packed/**', 'examples/custom-store', 'site/**'],
    always: ['packed/package'],
    of: 4,
  },
  {
    name: 'tools',
    what: 'a browser, a fuzzer, a proxy, Prometheus, systemd and the Dockerfile linter',
    disk: true,
    files: ['{browser,fuzz,operations}/**'],
    of: 4,
  },
]

/** The command tests run again on each server. */
export const SERVER_COMMANDS = {
  what: 'the tests of the command line, again',
  servers: ['mongodb', 'postgresql'],
  files: ['cli/**'],
  without: ['cli/{help,store,store-module,terminal,workers-log}'],
  always: ['cli/{user-import,lists}'],
  of: 6,
}

/** Parts whose files also run on other Node versions, except files that run in several rows. */
export const ON_OTHER_NODES = ['all', 'slow', 'mongodb', 'postgresql']
/** Long files that CI runs on a single Node version. */
export const ON_ONE_NODE = ['contracts/{mongodb*,postgresql}', 'http/request/linear']

/** Long files, the longest first: they start first, so that no run ends with one long file and idle cores. CI spreads them over commits. */
export const FIRST = [
  'packed/{hosts,bundles,built-hosts}',
  '{site/site,browser/api-page,upgrades/campaigns,withstand/campaigns,packed/types/compilers}',
  '{browser/api-page-notices,packed/commonjs,packed/types/examples}',
  '{adapters/mongodb/explain,contracts/mongodb-replica-set,simulation/many-histories}',
  '{operations/container,contracts/mongodb,contracts/postgresql,fuzz/catalogue,packed/custom-store}',
  '{handbook/other-languages,http/request/linear,fuzz/identity,packed/runtimes,packed/types/consumers}',
  'packed/{package,examples}',
  'cli/{own-process,unread-log,workers}',
  '{handbook/operate-l-to-q,adapters/mongodb/store/processes,examples/custom-store}',
  'browser/{api-page-logins,first-login}',
  'mongodb-faults/{start,standalone,injected,fail-points}',
  'durability/kill*',
  '{handbook/**,contracts/sqlite}',
]

/** Returns whether a file takes too long for `npm test`. The second condition allows for other programs that slow down the whole run. */
export function isTooSlow(seconds, secondsOfRun) {
  return seconds > 20 && seconds > secondsOfRun / 4
}

/** Returns whether one of these patterns matches a file. */
export function isNamedBy(patterns) {
  const expressionOf = (stars) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' })[stars]
  const sources = patterns
    .flatMap(alternativesOf)
    .map((pattern) => pattern.replace(/\*\*\/|\*\*|\*/g, expressionOf))
  const expression = new RegExp(`^(?:${sources.join('|')})$`)
  return (file) => patterns.length > 0 && expression.test(file)
}

/** Returns a pattern without braces for each alternative. */
export function alternativesOf(pattern) {
  const { groups } = /^(?<before>[^{]*)\{(?<names>[^}]*)\}(?<after>.*)$/.exec(pattern) ?? {}
  if (!groups) return [pattern]
  return groups.names.split(',').flatMap((name) => alternativesOf(`${groups.before}${name}${groups.after}`))
}

export function partNameOf(file) {
  return PARTS.find(({ files }) => isNamedBy(files)(file))?.name ?? 'all'
}
