// Finds the messages that a start or a command of the service can print: every text of two words or more in the sources
// below, unless only code, help or the log reads it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const ANY = /[a-z]{2,} [a-z]/i
/** In a store only complete sentences are messages; its other texts are statements and names. */
const SENTENCE = /^(?:[A-Z][a-z]*|MongoDB|[A-Z]+_[A-Z]+) [A-Za-z]/

/** Folders and files, and the form of the texts to search in each. */
const SOURCES = [
  ['bin/', ANY],
  ['src/configuration/', ANY],
  ['src/composition-root/', ANY],
  ['src/program/', ANY],
  ['src/adapters/oclif/', ANY],
  ['src/adapters/keyring/passphrase.ts', ANY],
  ['src/adapters/nodemailer/server.ts', ANY],
  ['src/adapters/mustache/', ANY],
  ['src/adapters/blocklist/', ANY],
  ['src/adapters/scrypt/cost.ts', ANY],
  ['src/adapters/sqlite/', SENTENCE],
  ['src/adapters/mongodb/', SENTENCE],
  ['src/application/access/', ANY],
  ['src/application/accounts/', ANY],
  ['src/application/copy-store.ts', ANY],
  ['src/domain/access/', ANY],
  ['src/domain/identity/email.ts', ANY],
  ['src/domain/identity/password.ts', ANY],
  ['src/domain/messages.ts', ANY],
  ['src/adapters/optional-package.ts', ANY],
  ['src/domain/text.ts', ANY],
]

/** Files whose texts are no such messages, and the reason. */
const OTHERS = {
  'src/adapters/oclif/autocomplete.ts': 'a script for shells',
  'src/composition-root/custom-parts/part-error.ts': 'a part that breaks its law: the log reports it',
  'src/composition-root/custom-parts/watch.ts': 'the same',
  'src/program/workers/metering.ts': 'a scrape of metrics: the log reports it',
  'src/program/workers/supervisor.ts': 'a worker that ended: the log reports it',
  'src/application/access/authorize.ts': 'replies of the HTTP interface',
  'src/configuration/reader.ts': 'options of openKennel',
}

/** Properties that hold help, and calls whose arguments are for the log, an embedder or code. */
const HELP = new Set(['help', 'description', 'summary', 'examples', 'helpGroup', 'helpValue'])
const NO_MESSAGE =
  /^(argument|booleanFlag|afterFlag|log\??\.\w+|mistyped|TypeError|plain|headerText|.*\.(includes|startsWith))$/

/**
 * The messages, each once, in the order of the sources. `variableOf` returns the environment variable of a setting.
 * Variable parts are `…`, also before a text that continues another text. Throws if a source has no message, because it
 * has moved.
 */
export function operatorMessages(project, variableOf) {
  const found = SOURCES.flatMap(([source, form]) => {
    const texts = filesBelow(project, source).flatMap((file) =>
      messagesIn(project, { file, form, variableOf }),
    )
    if (texts.length === 0) throw new Error(`${source} has no message: name the file that has them now`)
    return texts
  })
  const gone = Object.keys(OTHERS).filter((file) => !existsSync(join(project, file)))
  if (gone.length > 0) throw new Error(`${gone.join(', ')} is gone: name it no more`)
  return [...new Set(found)]
}

function filesBelow(project, source) {
  if (!source.endsWith('/')) return [source]
  const names = readdirSync(join(project, source), { recursive: true }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const files = names.filter((name) => /(?<!\.d)\.[tj]s$/.test(name)).toSorted()
  return files.map((name) => source + name).filter((file) => !Object.hasOwn(OTHERS, file))
}

function messagesIn(project, { file, form, variableOf }) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(project, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const texts = []
  const visit = (node) => {
    if (isSilent(node)) return
    const text = textOf(node, variableOf)
    if (text === undefined) ts.forEachChild(node, visit)
    else if (form.test(text) && !text.trim().includes('\n')) texts.push(whole(node, text.trim(), variableOf))
    // Interpolated expressions may contain further texts.
    if (text !== undefined) partsOf(node).forEach(visit)
  }
  visit(source)
  return texts
}

function isSilent(node) {
  if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return true
  if (ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) return HELP.has(node.name.getText())
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node)
  return isCall && NO_MESSAGE.test(node.expression.getText())
}

/** The text of a string, a template or a concatenation; `undefined` for any other node. */
function textOf(node, variableOf) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map((one) => filled(one.expression, variableOf) + one.literal.text).join('')
    )
  if (!isSum(node)) return undefined
  const [left, right] = [textOf(node.left, variableOf), textOf(node.right, variableOf)]
  return left === undefined && right === undefined ? undefined : (left ?? '…') + (right ?? '…')
}

function isSum(node) {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
}

function partsOf(node) {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map((one) => one.expression)
  return isSum(node) ? [node.left, node.right].flatMap(partsOf) : []
}

/** A setting by its environment variable; any other expression is a variable part. */
function filled(expression, variableOf) {
  const named =
    ts.isCallExpression(expression) && expression.expression.getText() === 'nameOf'
      ? expression.arguments[0]
      : expression
  return (ts.isStringLiteral(named) && variableOf(named.text)) || '…'
}

/** The text with the setting that it describes, or with `…` if it continues another text. */
function whole(node, text, variableOf) {
  const call = node.parent
  if (ts.isCallExpression(call) && call.expression.getText() === 'about' && call.arguments[1] === node) {
    const gap = text.startsWith(':') ? '' : ' '
    return filled(call.arguments[0], variableOf) + gap + text
  }
  return /^[a-z:;,]/.test(text) ? `… ${text}` : text
}
