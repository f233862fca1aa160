import ts from 'typescript'
import { textOf } from '../project.js'

export const KINDS = ['comment', 'message', 'title', 'page'] as const
type Kind = (typeof KINDS)[number]
export type Sentence = { readonly kind: Kind; readonly place: string; readonly text: string }

const TITLES = /^(describe|context|it\w*|law|test)(\.|$)/
/** A text with fewer words is a label, not a sentence. */
const LEAST_WORDS = { comment: 3, message: 4, title: 3, page: 3, cell: 5 }
const CODE = /[{}<>=;]|^(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH) /

/** The sentences of a file of this project: comments, messages and titles of code, or the text of a page. */
export function sentencesOf(file: string): Sentence[] {
  const text = textOf(file)
  return file.endsWith('.md') ? sentencesOfPage(file, text) : sentencesOfCode(file, text)
}

export function sentencesOfCode(file: string, text: string): Sentence[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const placeOf = (position: number) => `${file}:${lineOf(tree, position)}`
  const strings: Sentence[] = []
  const comments = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node): void => {
    for (const found of commentsNextTo(node, text)) comments.set(found.pos, found)
    const words = wordsOf(node)
    if (words !== undefined) {
      const kind = isTitle(node) ? 'title' : 'message'
      const isRead = kind === 'title' || (!file.startsWith('test/') && isMessage(words))
      if (isRead) strings.push(...split(kind, placeOf(node.getStart(tree)), words))
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const ranges = [...comments.values()].toSorted((a, b) => a.pos - b.pos)
  return [
    ...joined(ranges, text, tree).flatMap(({ at, part }) => split('comment', placeOf(at), part)),
    ...strings,
  ]
}

/** Returns the text of a string or a template; each value in a template becomes an X. */
function wordsOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) {
    const { parent } = node
    return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) ? undefined : node.text
  }
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('')
}

function isTitle({ parent }: ts.Node): boolean {
  return ts.isCallExpression(parent) && TITLES.test(parent.expression.getText())
}

const isMessage = (text: string) => text.split(' ').length >= LEAST_WORDS.message && !CODE.test(text)

function commentsNextTo(node: ts.Node, text: string): ts.CommentRange[] {
  return [
    ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
    ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
  ]
}

const lineOf = (tree: ts.SourceFile, position: number) =>
  tree.getLineAndCharacterOfPosition(position).line + 1

/** Returns the paragraphs of comments; adjacent lines that begin with `//` form one paragraph. */
function joined(ranges: readonly ts.CommentRange[], text: string, tree: ts.SourceFile) {
  const parts: { at: number; end: number; part: string }[] = []
  for (const { pos, end } of ranges) {
    const raw = text.slice(pos, end)
    const last = parts.at(-1)
    if (!raw.startsWith('//')) parts.push(...paragraphs(raw).map((part) => ({ at: pos, end: -1, part })))
    else if (last && last.end >= 0 && lineOf(tree, last.end) === lineOf(tree, pos) - 1)
      Object.assign(last, { end, part: `${last.part} ${raw.slice(2)}` })
    else parts.push({ at: pos, end, part: raw.slice(2) })
  }
  return parts
}

const paragraphs = (comment: string) =>
  comment
    .replaceAll(/^\/\*+|\*\/$/g, '')
    .replaceAll(/^\s*\* ?/gm, '')
    .split(/\n(?=\s*(?:- |@|\d+\. |\n))/)
    .map(withoutBullet)

const withoutBullet = (text: string) => text.replace(/^\s*(?:[-*>]|\d+\.)\s+/, '')

export function sentencesOfPage(file: string, text: string): Sentence[] {
  const withoutCode = text.replaceAll(/^\s*```[^]*?^\s*```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
  const blocks = withoutCode.matchAll(/(?:^(?!\s*$|#|\|).+\n?)+|^\|.*$/gm)
  return Array.from(blocks).flatMap(({ 0: block, index }) => {
    let line = withoutCode.slice(0, index).split('\n').length
    const parts = block.startsWith('|') ? cellsOf(block) : block.split(/(?<=\n)(?=\s*(?:[-*]|\d+\.)\s)/)
    return parts.flatMap((part) => {
      const place = `${file}:${line}`
      line += part.split('\n').length - 1
      return split('page', place, withoutBullet(part).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    })
  })
}

const cellsOf = (row: string) =>
  row
    .split('|')
    .filter((cell) => cell.trim().split(' ').length >= LEAST_WORDS.cell && !/^[\s:-]*$/.test(cell))

function split(kind: Kind, place: string, text: string): Sentence[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?])\s+(?=[A-Z`"«])/)
    .map((part) => ({ kind, place, text: part.trim() }))
    .filter((one) => one.text.split(' ').length >= LEAST_WORDS[kind])
}
