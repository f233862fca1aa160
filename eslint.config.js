import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import { builtinRules } from 'eslint/use-at-your-own-risk'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

const environment = {
  object: 'process',
  property: 'env',
  message: 'The environment is read in src/configuration/environment.ts only; take a setting as an argument.',
}

/** Limits the lines of a function. A function that returns an object of methods is exempt, because each method is checked. */
const maxLines = builtinRules.get('max-lines-per-function')
const maxLinesPerFunction = {
  ...maxLines,
  create(context) {
    const report = (found) => returnsObject(found.node) || context.report(found)
    return maxLines.create(Object.create(context, { report: { value: report } }))
  },
}

function returnsObject({ body }) {
  const last = body.type === 'BlockStatement' ? body.body.at(-1)?.argument : body
  return last?.type === 'ObjectExpression'
}

const environmentImport = { name: 'node:process', message: environment.message }

/** The SQLite adapter is exempt: SQLite opens files by name, and closing any descriptor of a file releases its locks. */
const checkByName = {
  name: 'node:fs',
  importNames: ['stat', 'statSync', 'lstat', 'lstatSync', 'access', 'accessSync', 'promises'],
  message:
    'The file may be replaced between the check and the read: use withOpenedFile of src/configuration/opened-file.ts.',
}

const checkByNameLater = {
  ...checkByName,
  name: 'node:fs/promises',
  importNames: ['stat', 'lstat', 'access'],
}

const clockAndChance = [
  { object: 'Date', property: 'now', message: 'Do not read the time here: accept a Clock as an argument.' },
  {
    object: 'performance',
    property: 'now',
    message: 'Do not read the time here: accept a Clock as an argument.',
  },
  {
    object: 'Math',
    property: 'random',
    message: 'Do not generate random values here: accept Randomness as an argument.',
  },
  {
    object: 'crypto',
    property: 'randomUUID',
    message: 'Do not generate random values here: accept Randomness as an argument.',
  },
  {
    object: 'crypto',
    property: 'getRandomValues',
    message: 'Do not generate random values here: accept Randomness as an argument.',
  },
]

const readingTheClock = {
  selector: ':matches(NewExpression, CallExpression)[callee.name="Date"][arguments.length=0]',
  message: 'Do not read the time here: accept a Clock as an argument.',
}

const exportAll = {
  selector: 'ExportAllDeclaration',
  message: 'List the exported names.',
}

const defaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'The name of a thing is the same wherever it is imported: export it by name.',
}

export default defineConfig(
  // TypeScript examples are ignored, because their packages, and therefore their types, are not installed here.
  {
    ignores: [
      'src/client/api.ts',
      'dist/',
      'coverage/',
      'reports/',
      'data/',
      'examples/nest/src/',
      'examples/next/global.d.ts',
      'examples/store-skeleton/store.ts',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // The methods of a port are asynchronous, even if an adapter has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/return-await': ['error', 'always'],
      // Template strings may contain numbers, but not objects, which would print as [object Object].
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, varsIgnorePattern: '^_$' }],
      'no-restricted-syntax': ['error', exportAll],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.{ts,js}', 'bin/*.js'],
    plugins: { regexp },
    rules: {
      // A regular expression that is not linear lets one request block the process.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { kennel: { rules: { 'max-lines-per-function': maxLinesPerFunction } } },
    rules: {
      'no-console': 'error',
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-statements': ['error', 15],
      'kennel/max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      complexity: ['error', 12],
      'no-restricted-properties': ['error', environment],
      'no-restricted-imports': ['error', environmentImport, checkByName, checkByNameLater],
      'no-restricted-syntax': ['error', exportAll, defaultExport],
    },
  },
  // A table of calls.
  { files: ['src/ports/calls/store.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['src/{domain,ports,application}/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'process',
        'performance',
        'crypto',
        'setTimeout',
        'setInterval',
        'fetch',
      ],
      'no-restricted-properties': ['error', environment, ...clockAndChance],
      'no-restricted-syntax': ['error', exportAll, defaultExport, readingTheClock],
    },
  },
  {
    files: ['src/adapters/sqlite/file.ts'],
    rules: { 'no-restricted-imports': ['error', environmentImport] },
  },
  {
    files: ['src/configuration/environment.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // chai's assertions are properties: `expect(x).to.be.true`.
      '@typescript-eslint/no-unused-expressions': 'off',
      // Tests may assert that a value exists, because a missing value makes the test fail.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['test/**/*.test.ts'],
    rules: {
      // A busy machine makes every duration longer, so tests must wait for a condition, and benchmarks must compare durations.
      'no-restricted-globals': [
        'error',
        { name: 'performance', message: 'Tests must not assert elapsed time.' },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'hrtime', message: 'Tests must not assert elapsed time.' },
      ],
    },
  },
  { files: ['bin/*.js'], rules: { 'no-restricted-properties': ['error', environment] } },
  {
    files: ['**/*.{js,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        module: 'writable',
      },
    },
  },
  {
    files: ['src/http/api-page/*.js'],
    languageOptions: {
      globals: { document: 'readonly', location: 'readonly', fetch: 'readonly', SwaggerUIBundle: 'readonly' },
    },
  },
  {
    files: ['src/http/{admin-page,pages}/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        'AbortController document location history navigator crypto CSS FormData Blob URL URLSearchParams addEventListener fetch'
          .split(' ')
          .map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['examples/{bun,deno,hono,lambda,next,node-http}/**/*.js'],
    languageOptions: { globals: { Bun: 'readonly', Deno: 'readonly', Response: 'readonly' } },
  },
  {
    files: ['examples/browser/page/*.js', 'examples/react/*.js'],
    languageOptions: {
      globals: { document: 'readonly', window: 'readonly', fetch: 'readonly', FormData: 'readonly' },
    },
  },
)
