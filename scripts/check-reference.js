// Checks the API reference of every package entry: exports without a description and broken links are errors. The type
// of an argument or a result need not be exported, because a program can refer to it as a member of another type.
// `--html FOLDER` writes the reference as pages. The first argument is the project folder, by default this project.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Application, OptionDefaults, ReflectionKind } from 'typedoc'

const { values, positionals } = parseArgs({ options: { html: { type: 'string' } }, allowPositionals: true })
const ours = join(import.meta.dirname, '..')
const project = resolve(positionals[0] ?? ours)
const { exports } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))

/** The source of each entry, with its import name. */
const entries = Object.entries(exports)
  .filter(([, target]) => target.types !== undefined)
  .map(([path, { types }]) => ({
    name: join('kennel-id', path),
    source: types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts'),
  }))

/** Returns typedoc's module name for a source. */
const moduleOf = (source) => source.replace(/^src\//, '').replace(/(\/index)?\.ts$/, '')

const app = await Application.bootstrap({
  name: 'kennel-id',
  entryPoints: entries.map(({ source }) => join(project, source)),
  basePath: join(project, 'src'),
  tsconfig: join(project, 'tsconfig.json'),
  // The reference contains no pages from docs/, and no links to sources, because the repository has no address for them.
  readme: 'none',
  disableSources: true,
  excludeExternals: true,
  requiredToBeDocumented: ['Function', 'TypeAlias', 'Variable', 'Class', 'Method', 'Interface', 'Enum'],
  validation: { notDocumented: true, notExported: false, invalidLink: true, unusedMergeModuleWith: true },
  // The types of the client preserve this tag from the API description.
  blockTags: [...OptionDefaults.blockTags, '@description'],
  excludeInternal: true,
  // A separate gate checks compilation.
  skipErrorChecking: true,
  logLevel: 'Warn',
})

const reference = await app.convert()
if (reference) {
  app.validate(reference)
  const modules = reference.getChildrenByKind(ReflectionKind.Module)
  for (const { name, source } of entries) {
    const found = modules.find((module) => module.name === moduleOf(source))
    if (found?.children?.length) found.name = name
    else app.logger.error(`${name}: no comments were read from ${source}`)
  }
  if (values.html !== undefined) await app.generateDocs(reference, resolve(values.html))
  const described = modules.reduce((total, { children = [] }) => total + children.length, 0)
  console.log(`${modules.length} entries, ${described} exports described`)
}
process.exitCode = !reference || app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0
