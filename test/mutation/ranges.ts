import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../support/project.js'
import { mutationOf, type Mutation, type Position } from './mutants.js'
import type { Result } from './results.js'

/** What helps where a kept result is of other sources. */
export const RUN_WHOLE = 'run the piece whole, without --survivors'

/** Where the survivors are in the sources as they are now, for Stryker; throws where one is not there any more. */
export function rangesOf({ survivors }: Pick<Result, 'survivors'>): string[] {
  return [...new Set(survivors.flatMap(rangesOfOne))]
}

/** Each place that reads as the mutation does: what reads the same cannot be told apart. */
function rangesOfOne(mutation: Mutation): string[] {
  const { file, within, line, change } = mutation
  const text = readFileSync(join(PROJECT, file), 'utf8')
  const ranges = [...text.matchAll(originalOf(mutation))]
    .map(({ index, 1: original = '' }) => ({
      start: positionAt(text, index),
      end: positionAt(text, index + original.length),
    }))
    .filter((location) => {
      const found = mutationOf(file, { status: '', location })
      return found.within === within && found.line === line
    })
  if (ranges.length === 0) throw new Error(`"${change}" has no place in ${file} any more: ${RUN_WHOLE}.`)
  return ranges.map(({ start, end }) => `${file}:${place(start)}-${place(end)}`)
}

/** The text before the mutation, its white space of any kind, its middle of any text where it is left out. */
function originalOf({ change }: Mutation): RegExp {
  const [original = ''] = change.split(' → ', 1)
  const pieces = original.split(' … ').map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(?=(${pieces.join('[^]*?').replaceAll(/\s+/g, '\\s+')}))`, 'g')
}

function positionAt(text: string, index: number): Position {
  const before = text.slice(0, index).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Stryker reports columns from 1 and takes them from 0. */
function place({ line, column }: Position): string {
  return `${line}:${column - 1}`
}
