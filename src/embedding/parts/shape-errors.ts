import { objectErrors } from '../../composition-root/own-store/shape-errors.js'
import { PART_SHAPES } from './part-shapes.js'
import type { PortShape } from '../../composition-root/own-store/shape.js'

type JsonObject = Readonly<Record<string, unknown>>

export const PART_NAMES: readonly string[] = Object.keys(PART_SHAPES)

/** What the parts lack, each in a sentence that names the part, the function and the port. */
export function partErrors(parts: JsonObject): string[] {
  return Object.entries<PortShape>(PART_SHAPES).flatMap(([name, shape]) => {
    const part = parts[name]
    if (part === undefined) return []
    if (name === 'clock') return clockErrors(part)
    return name === 'auditSinks' ? sinkErrors(part) : objectErrors(`parts.${name}`, part, shape)
  })
}

/** A clock can be asked at once: to read it changes nothing. */
function clockErrors(clock: unknown): string[] {
  if (typeof clock !== 'function') return ['parts.clock is no function (port Clock)']
  const { law, shape } = PART_SHAPES.clock.functions['']
  return shape(timeOf(clock as () => unknown), '', []) === undefined
    ? []
    : [`parts.clock breaks its law: it must answer ${law} (port Clock)`]
}

function timeOf(clock: () => unknown): unknown {
  try {
    return clock()
  } catch {
    return undefined
  }
}

function sinkErrors(sinks: unknown): string[] {
  if (!Array.isArray(sinks)) return ['parts.auditSinks is no array']
  return sinks.flatMap((sink: unknown, index) =>
    objectErrors(`parts.auditSinks[${index}]`, sink, PART_SHAPES.auditSinks),
  )
}
