/** Page scripts, which run in browsers. */
const PAGES = '^src/http/((api|admin)-page|pages)/[^/]+\\.js$'

/**
 * Builds the rule for a folder of src: it may import only the given layers; any other import, including npm packages and `node:` modules,
 * is an error.
 */
const inner = (name, folder, allowed) => ({
  name,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { pathNot: allowed },
})

/** Only these folders of src may import the packages, so a package can be replaced without changes elsewhere. */
const driver = (packages, homes) => ({
  name: `${homes.map((home) => home.replace(/^adapters\//, '')).join('-or-')}-only`,
  severity: 'error',
  from: { path: '^src/', pathNot: homes.map((home) => `^src/${home}/`) },
  to: { path: `(^|/)node_modules/(@types/)?(${packages.join('|')})/` },
})

/** Builds the rule for an adapter: it may import the inner layers, its own folder and the files that `others` match. */
const adapter = (rule, name, ...others) => ({
  name: rule,
  severity: 'error',
  from: { path: `^src/adapters/${name}/` },
  to: {
    path: '^src/',
    pathNot: [
      '^src/(domain|ports|application)/',
      '^src/adapters/($1/|(database-server|optional-package|signing-ring|upgrades)\\.ts$)',
      ...others,
    ],
  },
})

module.exports = {
  forbidden: [
    inner('domain-imports-domain', 'domain', ['^src/domain/']),
    inner('ports-import-domain', 'ports', ['^src/(domain|ports)/']),
    inner('application-imports-ports-and-domain', 'application', ['^src/(domain|ports|application)/']),
    inner('contracts-import-ports-and-domain', 'contracts', [
      '^src/(domain|ports|contracts)/',
      '^(node:)?assert(/strict)?$',
    ]),
    {
      name: 'configuration-imports-inwards',
      comment: 'Configuration must not import adapters: it receives their validity rules as arguments.',
      severity: 'error',
      from: { path: '^src/configuration/' },
      to: { path: '^src/', pathNot: '^src/(domain|ports|configuration)/' },
    },
    {
      name: 'http-imports-inwards',
      comment:
        'src/http must work on any host, so it imports nothing from Koa or Node. Its settings are defined in src/configuration.',
      severity: 'error',
      from: { path: '^src/http/', pathNot: PAGES },
      to: {
        pathNot: [
          '^src/(domain|ports|application|http)/',
          '^src/configuration/(settings|derived)\\.ts$',
          '(^|/)node_modules/(@types/)?(zod|zod-openapi|content-type|fresh)/',
        ],
      },
    },
    {
      name: 'pages-import-the-client',
      comment:
        'Browsers run these scripts. The build bundles these scripts with the client, which is imported by its package name.',
      severity: 'error',
      from: { path: PAGES },
      to: {
        pathNot: [PAGES, '^dist/src/client/(index|account|admin)\\.d\\.ts$', '^templates/pages/en\\.json$'],
      },
    },
    // Every adapter may open files with `withOpenedFile` of the configuration.
    adapter(
      'adapters-import-inwards',
      '((?!koa/|web/|node/|oclif/|sqlite/|postgresql/|scrypt/)[^/]+)',
      '^src/configuration/opened-file\\.ts$',
    ),
    adapter(
      'adapters-import-inwards',
      '(sqlite|postgresql)',
      '^src/(adapters/sql/|configuration/opened-file\\.ts$)',
    ),
    // The scrypt hasher also verifies imported hashes of other systems.
    adapter('adapters-import-inwards', '(scrypt)', '^src/adapters/imported-hashes/'),
    // Commands print the HTTP status of an error, and the code of a file that cannot be written.
    adapter(
      'adapters-import-inwards',
      '(oclif)',
      '^src/(http/refusal-status|configuration/opened-file)\\.ts$',
    ),
    adapter('hosts-import-http-and-inwards', '(web|node)', '^src/http/'),
    // The Koa adapter listens with a Node server.
    adapter('hosts-import-http-and-inwards', '(koa)', '^src/(http|adapters/node)/'),
    {
      name: 'nothing-imports-the-entry',
      comment: 'No module may import the public entry point.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/index\\.ts$' },
    },
    {
      name: 'only-the-root-is-wired',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(composition-root/|program/|embedding/|index\\.ts$)' },
      to: { path: '^src/composition-root/' },
    },
    {
      name: 'the-root-knows-no-embedding',
      severity: 'error',
      from: { path: '^src/(composition-root|program)/' },
      to: { path: '^src/embedding/' },
    },
    {
      name: 'nothing-imports-the-program',
      comment: 'The package does not include these modules; they are in the bundle of the command.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/program/' },
      to: { path: '^src/program/' },
    },
    {
      name: 'client-imports-itself',
      comment: 'The client runs in browsers, and in programs that include no other part of this package.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { pathNot: '^src/client/' },
    },
    {
      name: 'src-imports-src',
      severity: 'error',
      from: { path: '^src/', pathNot: PAGES },
      to: { path: '^(test|bench|examples|scripts|bin|dist)/' },
    },
    driver(['inversify', 'reflect-metadata'], ['composition-root']),
    driver(['koa', 'koa-[^/]+', '@koa/[^/]+', 'koa__[^/]+'], ['adapters/koa']),
    driver(['zod-openapi', 'content-type', 'fresh'], ['http']),
    driver(['@oclif/[^/]+', 'cli-progress', 'string-width'], ['adapters/oclif']),
    driver(['zod'], ['http', 'adapters/oclif', 'configuration', 'embedding']),
    driver(['jose'], ['adapters/jose']),
    driver(['paseto'], ['adapters/paseto']),
    driver(['@simplewebauthn/server'], ['adapters/webauthn']),
    driver(['scrypt-kdf'], ['adapters/scrypt']),
    driver(['bcryptjs', 'hash-wasm'], ['adapters/imported-hashes/in-thread']),
    driver(['@photostructure/sqlite'], ['adapters/sqlite']),
    driver(['mongodb'], ['adapters/mongodb']),
    driver(['pg'], ['adapters/postgresql']),
    driver(['nodemailer'], ['adapters/nodemailer']),
    driver(['mustache'], ['adapters/mustache']),
    driver(['pino'], ['adapters/pino']),
    driver(['prom-client'], ['adapters/prometheus']),
    {
      name: 'no-circular-imports',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved-imports',
      comment: 'An import that cannot be resolved cannot be checked.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-dependencies-only',
      comment:
        'Published code runs where development packages are not installed; type imports do not matter at run time. Packages that only the command needs are in its bundle, two packages are in the bundles of the entries, and two in the source of a thread.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/adapters/oclif/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        // Optional peer dependencies are permitted, although they are also development dependencies.
        dependencyTypesNot: ['npm-peer'],
        pathNot: '(^|/)node_modules/(@types|koa-session|lru-cache|bcryptjs|hash-wasm)/',
      },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    // Includes type-only imports: a layer that uses a type depends on the type's layer.
    tsPreCompilationDeps: true,
    // Resolves packages by their `exports`, as Node does for an import.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
