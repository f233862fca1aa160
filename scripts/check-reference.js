// Checks the API reference of every package entry: exports without a description and broken links are errors. `--html FOLDER` writes the
// reference as pages. The first argument is the project folder, by default this project.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Application, OptionDefaults, ReflectionKind } from 'typedoc'
import { jsonOf, PROJECT } from './files.js'

const { values, positionals } = parseArgs({ options: { html: { type: 'string' } }, allowPositionals: true })
const project = resolve(positionals[0] ?? PROJECT)
const { exports } = jsonOf(join(project, 'package.json'))

const entries = Object.entries(exports)
  .filter(([, target]) => target.types !== undefined)
  .map(([path, { types }]) => ({
    name: join('kennel-id', path),
    source: types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts'),
  }))

const moduleOf = (source) => source.replace(/^src\//, '').replace(/(\/index)?\.ts$/, '')

const app = await Application.bootstrap({
  name: 'kennel-id',
  entryPoints: entries.map(({ source }) => join(project, source)),
  basePath: join(project, 'src'),
  tsconfig: join(project, 'tsconfig.json'),
  // No links to sources, because the repository has no address for them.
  readme: 'none',
  disableSources: true,
  excludeExternals: true,
  requiredToBeDocumented: ['Function', 'TypeAlias', 'Variable', 'Class', 'Method', 'Interface', 'Enum'],
  // The type of an argument need not be exported, because a program can refer to it as a member of another type.
  validation: { notDocumented: true, notExported: false, invalidLink: true, unusedMergeModuleWith: true },
  // The types of the client preserve this tag from the API description.
  blockTags: [...OptionDefaults.blockTags, '@description'],
  excludeInternal: true,
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
