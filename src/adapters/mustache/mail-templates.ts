import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MAIL_KINDS, type MailKind } from '../../domain/mail.js'
import type { MailTemplates, MailValues } from '../../ports/mail.js'
import { OWN_TEMPLATES } from './own-templates.js'
import {
  parseTemplate,
  type Template,
  type TemplateErrors,
  type TemplateValues,
  readTemplateFile,
} from './template.js'

export type LoadedTemplates =
  | { readonly ok: true; readonly templates: MailTemplates }
  | { readonly ok: false; readonly errors: readonly string[] }

const PARTS = ['subject.txt', 'txt', 'html'] as const
type Part = (typeof PARTS)[number]

const NAMES: { readonly [Kind in MailKind]: readonly (keyof MailValues[Kind])[] } = {
  'reset-password': ['email', 'link', 'minutes'],
  'password-changed': ['email'],
  'new-client': ['email', 'client', 'address', 'time'],
  'refresh-reused': ['email', 'client', 'address', 'time'],
  'sign-up': ['email', 'link', 'lifetime', 'code'],
  'account-exists': ['email', 'link'],
  approved: ['email'],
  invitation: ['email', 'link', 'lifetime'],
  'change-email': ['email', 'link', 'lifetime', 'code'],
  'undo-email': ['email', 'link', 'lifetime'],
  login: ['email', 'link', 'lifetime', 'code'],
  'factor-changed': ['email', 'address', 'time', 'added', 'removed', 'recovery', 'renewed'],
  'passkey-changed': ['email', 'address', 'time', 'added', 'removed', 'clone'],
}

/** Kinds of email whose templates every folder must contain, for compatibility. */
const REQUIRED = ['reset-password', 'password-changed'] as const satisfies readonly MailKind[]

const LINE_BREAK = /[\r\n\u2028\u2029]+/u

type TemplateResult = { readonly name: string; readonly template: Template } | TemplateErrors

/**
 * Reads `<kind>.subject.txt`, `<kind>.txt` and `<kind>.html` of every email kind once, from a folder or from this package. The folder may
 * omit the templates of notices that are not `wanted`. Each error is a sentence that contains the file name.
 */
export function loadMailTemplates(folder?: string, wanted: readonly MailKind[] = []): LoadedTemplates {
  const found = MAIL_KINDS.flatMap((kind) => {
    const customFolder =
      folder !== undefined && hasTemplates(folder, kind, [...REQUIRED, ...wanted]) ? folder : undefined
    return PARTS.map((part) => find(customFolder, kind, part))
  })
  const errors = found.flatMap((one) => ('errors' in one ? one.errors : []))
  if (errors.length > 0) return { ok: false, errors }
  const templates = new Map(found.flatMap((one) => ('errors' in one ? [] : [[one.name, one.template]])))
  const render = (name: string, values: TemplateValues) => templates.get(name)?.(values) ?? ''
  return {
    ok: true,
    templates: {
      render: (kind, values) => ({
        subject: render(nameOf(kind, 'subject.txt'), values).trim(),
        text: render(nameOf(kind, 'txt'), values),
        html: render(nameOf(kind, 'html'), values),
      }),
    },
  }
}

function hasTemplates(folder: string, kind: MailKind, needed: readonly MailKind[]): boolean {
  return needed.includes(kind) || PARTS.some((part) => existsSync(join(folder, nameOf(kind, part))))
}

function nameOf(kind: MailKind, part: Part): string {
  return `${kind}.${part}`
}

function find(folder: string | undefined, kind: MailKind, part: Part): TemplateResult {
  const name = nameOf(kind, part)
  if (folder === undefined) return { name, template: ownTemplate(kind, part) }
  const path = join(folder, name)
  const file = readTemplateFile(path)
  const checked = 'error' in file ? { errors: [file.error] } : check(file.text, kind, part)
  if (typeof checked === 'function') return { name, template: checked }
  return { errors: checked.errors.map((one) => `The mail template ${path} ${one}.`) }
}

function check(text: string, kind: MailKind, part: Part): Template | TemplateErrors {
  const parsed = parseTemplate(text, NAMES[kind], part === 'html')
  if (typeof parsed !== 'function') return parsed
  const errors = part === 'subject.txt' ? errorsOfSubject(text) : errorsOfBody(kind, parsed)
  return errors.length === 0 ? parsed : { errors }
}

function errorsOfSubject(text: string): string[] {
  return LINE_BREAK.test(text.trim()) ? ['has more than one line'] : []
}

/** Checks the rendered text, because a section in the template could hide the link. */
function errorsOfBody(kind: MailKind, template: Template): string[] {
  const names = NAMES[kind]
  if (!names.some((name) => name === 'link')) return []
  const text = template(Object.fromEntries(names.map((name) => [name, `value-of-${name}`])))
  return text.includes('value-of-link') ? [] : ['never inserts {{link}}']
}

/** A built-in template is parsed when it is first rendered, because most instances send few kinds of email. */
function ownTemplate(kind: MailKind, part: Part): Template {
  let parsed: Template | TemplateErrors | undefined
  return (values) => {
    parsed ??= parseTemplate(OWN_TEMPLATES[nameOf(kind, part)] ?? '', NAMES[kind], part === 'html')
    if (typeof parsed !== 'function') throw new Error(parsed.errors.join('; '))
    return parsed(values)
  }
}
