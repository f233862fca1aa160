import { readFileSync } from 'node:fs'

export type Unit = {
  /** Returns every value of a setting; the list is empty if the setting is missing. */
  all(name: string): readonly string[]
  one(name: string): string
}

/** Sections do not matter here, because none of our settings occurs in two sections. */
export function readUnit(path: string): Unit {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^[#;[]/.test(line))
  const settings = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  const all = (name: string) => settings.flatMap(([key, value = '']) => (key === name ? [value] : []))
  return {
    all,
    one: (name) => {
      const [value, ...others] = all(name)
      if (value === undefined || others.length > 0)
        throw new Error(`${name} is there ${others.length} times more`)
      return value
    },
  }
}

/** Returns the variables that the unit sets; `%d` is replaced by the folder of its credentials. */
export function environmentOf(unit: Unit, credentials: string): Record<string, string> {
  const pairs = unit.all('Environment').map((pair) => pair.replaceAll('%d', credentials))
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
}
