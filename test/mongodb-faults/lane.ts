import type { Socket } from 'node:net'
import type { Milliseconds } from '../../src/domain/instant.js'

/** Forwards the bytes in one direction of a connection, in order. */
export type Lane = {
  take(bytes: Buffer): void
  pump(): void
}

type Rule = { readonly delay: Milliseconds; readonly isHeld: boolean }

export function createLane(from: Socket, to: Socket, rule: () => Rule): Lane {
  /** An item without bytes closes the connection in this direction. */
  const chunks: { readonly bytes: Buffer | undefined; readonly arrived: number }[] = []
  let timer: NodeJS.Timeout | undefined

  function pump(): void {
    clearTimeout(timer)
    const { delay, isHeld } = rule()
    if (isHeld || to.destroyed) return
    for (let first = chunks[0]; first; first = chunks[0]) {
      const wait = first.arrived + delay - performance.now()
      if (wait > 0) {
        timer = setTimeout(pump, wait)
        return
      }
      chunks.shift()
      if (first.bytes) to.write(first.bytes)
      else to.end()
    }
  }

  const add = (bytes: Buffer | undefined) => {
    chunks.push({ bytes, arrived: performance.now() })
    pump()
  }
  from.on('data', add)
  from.once('end', () => {
    add(undefined)
  })
  from.once('close', () => {
    clearTimeout(timer)
  })
  return { take: add, pump }
}
