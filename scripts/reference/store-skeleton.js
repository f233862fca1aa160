// Writes examples/store-skeleton/store.ts: every method in STORE_CALLS with the comment and the types of its port, and a body that throws.
import { join } from 'node:path'
import ts from 'typescript'
import { STORE_CALLS } from '../../dist/src/ports/calls/store.js'
import { PROJECT } from '../files.js'

const entries = { 'kennel-id': 'index.ts', 'kennel-id/ports': 'ports/index.ts' }
const files = Object.values(entries).map((file) => join(PROJECT, 'src', file))
const program = ts.createProgram(files, { module: ts.ModuleKind.NodeNext, noLib: true, types: [] })
const checker = program.getTypeChecker()
const commentOf = (node) => ts.getJSDocCommentsAndTags(node)[0]?.getText() ?? ''
const original = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
const exported = new Map()
for (const [at, entry] of Object.keys(entries).entries()) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(files[at]))
  for (const symbol of checker.getExportsOfModule(module))
    exported.set(original(symbol), { entry, name: symbol.name })
}
const imported = new Map(Object.keys(entries).map((entry) => [entry, new Set()]))

const store = membersOf([...exported].find(([, { name }]) => name === 'Store')[0])
const ports = Object.entries(STORE_CALLS).map(([port, calls]) => portText(port, calls))
const own = ['ready', 'close'].map((call) => callText('store', call, store.get(call)))
imported.get('kennel-id/ports').add('GivenStore')
const imports = [...imported].map(
  ([entry, names]) => `import type { ${[...names].sort().join(', ')} } from '${entry}'\n`,
)
export default `// A store skeleton, generated from Kennel's ports. The comment of each call states its promise, which the laws of
// \`kennel-id/contracts\` test. Leave out the ports of features that you do not use.
${imports.join('')}
function notImplemented(call: string): never {
  throw new Error(\`\${call} is not implemented\`)
}

${ports.join('\n')}
/** The store for \`openKennel({ store })\`; it also works as a module for \`STORE_MODULE\`. */
export function openStore(): GivenStore {
  return {
${Object.keys(STORE_CALLS).join(',\n')},
${own.join('')}
  }
}
`
function membersOf(symbol) {
  const { type } = symbol.declarations[0]
  return new Map(type.members.map((member) => [member.name.text, member]))
}

function portText(port, calls) {
  const symbol = original(checker.getSymbolAtLocation(store.get(port).type.typeName))
  const members = membersOf(symbol)
  const bodies = Object.entries(calls).map(([call, { fallback }]) =>
    callText(port, call, members.get(call), fallback !== undefined),
  )
  return `${commentOf(symbol.declarations[0])}
export const ${port} = {\n${bodies.join('')}} satisfies GivenStore['${port}']\n`
}

function callText(port, call, member, isOptional = false) {
  visit(member)
  const { typeParameters: generics, parameters, type } = member
  const kinds = generics ? `<${generics.map((one) => one.getText()).join(', ')}>` : ''
  const taken = parameters.map((one) => one.getText()).join(', ')
  const note = isOptional ? '  // Optional: without this call, Kennel uses other calls.\n' : ''
  return `${commentOf(member)}\n${note}  async ${call}${kinds}(${taken}): ${type.getText()} {
    return notImplemented('${port}.${call}')\n  },\n`
}

/** Imports the types that this node refers to. */
function visit(node) {
  const symbol = ts.isTypeReferenceNode(node) && checker.getSymbolAtLocation(node.typeName)
  const found = symbol && exported.get(original(symbol))
  if (found) imported.get(found.entry).add(found.name)
  ts.forEachChild(node, visit)
}
