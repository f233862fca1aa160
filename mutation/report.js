import { dirname } from 'node:path'

const KILLED = ['Killed', 'Timeout']
const SURVIVED = ['Survived', 'NoCoverage']

/** The judged mutants of Stryker's report. `text` is the change, on one line: `a < b → a <= b`. */
export function mutantsOf({ files }) {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n')
    return mutants
      .filter(({ status }) => KILLED.includes(status) || SURVIVED.includes(status))
      .map(({ status, location, replacement }) => ({
        file: file.replace(/^src\//, ''),
        line: location.start.line,
        text: `${onOneLine(excerpt(lines, location))} → ${onOneLine(replacement)}`,
        isKilled: KILLED.includes(status),
      }))
  })
}

function excerpt(lines, { start, end }) {
  const chosen = lines.slice(start.line - 1, end.line)
  chosen[chosen.length - 1] = chosen.at(-1).slice(0, end.column - 1)
  chosen[0] = chosen[0].slice(start.column - 1)
  return chosen.join('\n')
}

function onOneLine(text) {
  return text.replace(/\s+/g, ' ').trim()
}

/** Survivors that the list does not name, and entries of the list without such survivors. */
export function unnamed(mutants, equivalent) {
  const survivors = grouped(mutants.filter(({ isKilled }) => !isKilled))
  const judged = new Set(mutants.map(({ file }) => file))
  const named = Object.entries(equivalent).flatMap(([file, entries]) =>
    Object.keys(entries).map((mutant) => ({ file, mutant })),
  )
  const isSame = (one, other) => one.file === other.file && one.mutant === other.mutant
  return {
    survivors: survivors.filter((one) => !named.some((other) => isSame(one, other))),
    obsolete: named.filter((one) => judged.has(one.file) && !survivors.some((other) => isSame(one, other))),
  }
}

/** Equal changes in one file are one survivor with a number, so that one more of them is noticed. */
function grouped(survivors) {
  const groups = new Map()
  for (const { file, text, line } of survivors) {
    const name = `${file} ${text}`
    groups.set(name, { file, text, lines: [...(groups.get(name)?.lines ?? []), line] })
  }
  return [...groups.values()].map(({ file, text, lines }) => ({
    file,
    mutant: lines.length > 1 ? `${lines.length} × ${text}` : text,
    lines,
  }))
}

/** For each folder, and for each file directly in a layer, how many mutants there are and how many tests kill. */
export function figures(mutants) {
  const rows = {}
  for (const { file, isKilled } of mutants) {
    const row = (rows[dirname(file)] ??= { mutants: 0, killed: 0, percent: 0 })
    row.mutants += 1
    row.killed += isKilled ? 1 : 0
    row.percent = Math.floor((1000 * row.killed) / row.mutants) / 10
  }
  return Object.fromEntries(Object.entries(rows).sort())
}
