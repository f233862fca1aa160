import type { Socket } from 'node:net'
import type { Milliseconds } from '../../src/domain/instant.js'

/** The direction of bytes: from the party that opened the connection, or back to it. */
export type Direction = 'there' | 'back'

/**
 * All connections from one party to another, and the disturbances of their bytes; no single byte is ever changed or
 * lost.
 */
export type Link = {
  /** Delays the bytes of both directions, in order. */
  delay(time: Milliseconds): void
  /** Holds the bytes of these directions until the link heals, as when a network drops their packets. */
  hold(...directions: readonly Direction[]): void
  /** Breaks the existing connections. */
  cut(): void
  /** Breaks them, and every new connection immediately. */
  refuse(): void
  /** Ends one direction for its receiver; the other direction continues. */
  halfClose(direction: Direction): void
  /** Passes on all held bytes, and all later bytes immediately. */
  heal(): void
  /** Takes over a connection of this link. */
  carry(client: Socket, upstream: Socket, first: Buffer, liar?: Liar): void
}

/** Tampers with one connection, in a test that this is detected. */
export type Liar = {
  /** A faked answer; the receiver does not get the bytes. */
  readonly asked: (sent: Buffer) => Buffer | undefined
  /** Observes the answers of the receiver. */
  readonly answered: (answer: Buffer) => undefined
}

type Chunk = { readonly bytes: Buffer | undefined; readonly due: number }

/** One direction of one connection. */
type Lane = {
  readonly direction: Direction
  /** Passes on the bytes that are due. */
  readonly pump: () => void
  readonly halfClose: () => void
}

type Rules = { delay: Milliseconds; refused: boolean; readonly held: Set<Direction> }

export function createLink(): Link {
  const rules: Rules = { delay: 0, refused: false, held: new Set() }
  const lanes = new Set<Lane>()
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    delay: (time) => (rules.delay = time),
    hold: (...directions) => directions.forEach((one) => rules.held.add(one)),
    cut,
    refuse: () => {
      rules.refused = true
      cut()
    },
    halfClose: (direction) => {
      for (const lane of lanes) if (lane.direction === direction) lane.halfClose()
    },
    heal: () => {
      rules.delay = 0
      rules.refused = false
      rules.held.clear()
      for (const lane of lanes) lane.pump()
    },
    carry: (client, upstream, first, liar) => {
      if (rules.refused) client.destroy()
      const both = [
        createLane({ direction: 'there', from: client, to: upstream, rules, first, tap: liar?.asked }),
        createLane({ direction: 'back', from: upstream, to: client, rules, tap: liar?.answered }),
      ]
      both.forEach((lane) => lanes.add(lane))
      sockets.add(client)
      client.once('close', () => {
        sockets.delete(client)
        both.forEach((lane) => lanes.delete(lane))
      })
    },
  }
}

type LaneParts = {
  readonly direction: Direction
  readonly from: Socket
  readonly to: Socket
  readonly rules: Rules
  readonly first?: Buffer
  readonly tap: ((bytes: Buffer) => Buffer | undefined) | undefined
}

function createLane({ direction, from, to, rules, first, tap }: LaneParts): Lane {
  const chunks: Chunk[] = []
  let timer: NodeJS.Timeout | undefined
  let ended = false

  function pump(): void {
    clearTimeout(timer)
    if (rules.held.has(direction)) return
    while (chunks[0] && (rules.delay === 0 || chunks[0].due <= performance.now())) pass(chunks.shift()?.bytes)
    if (chunks[0]) timer = setTimeout(pump, Math.max(1, chunks[0].due - performance.now()))
  }

  function pass(bytes: Buffer | undefined): void {
    if (ended || to.destroyed) return
    const lie = bytes && tap?.(bytes)
    if (lie) from.write(lie)
    else if (bytes) to.write(bytes)
    else end()
  }

  function end(): void {
    ended = true
    to.end()
  }

  const take = (bytes?: Buffer) => {
    chunks.push({ bytes, due: performance.now() + rules.delay })
    pump()
  }
  from.on('data', take)
  from.once('end', () => take())
  from.once('close', () => clearTimeout(timer))
  if (first) take(first)
  return { direction, pump, halfClose: end }
}
