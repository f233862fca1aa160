import { BSON, type Document } from 'mongodb'
import type { Liar } from '../../mongodb-faults/link.js'

/** A message of MongoDB: its length, its number, the number that it answers and its kind; flags; a document. */
const HEADER = 16
const BODY = HEADER + 5
const OP_MSG = 2013

const END_OF_SESSION = 'delete\0\t\0\0\0sessions\0'
const LOOK_UP = 'aggregate\0\t\0\0\0sessions\0'

/** Says that sessions were removed, and no server has heard of it. */
export function createForger(): Liar {
  return {
    asked: (sent) => (sent.includes(END_OF_SESSION) ? replyTo(sent, { n: 1, ok: 1 }) : undefined),
    answered: () => undefined,
  }
}

/** Answers a look-up of a session as the same one was answered before on this connection. */
export function createReplayer(): Liar {
  const answers = new Map<string, Buffer>()
  let asked: string | undefined
  return {
    asked: (sent) => {
      asked = sent.includes(LOOK_UP) ? JSON.stringify(documentIn(sent)['pipeline']) : undefined
      const earlier = asked === undefined ? undefined : answers.get(asked)
      return earlier && renumbered(earlier, sent)
    },
    answered: (answer) => {
      if (asked !== undefined && !answers.has(asked)) answers.set(asked, answer)
      asked = undefined
    },
  }
}

function documentIn(message: Buffer): Document {
  return BSON.deserialize(message.subarray(BODY))
}

function replyTo(sent: Buffer, document: Document): Buffer {
  const body = BSON.serialize(document)
  const reply = Buffer.alloc(BODY + body.length)
  reply.writeInt32LE(reply.length, 0)
  reply.writeInt32LE(OP_MSG, 12)
  reply.set(body, BODY)
  return renumbered(reply, sent)
}

function renumbered(reply: Buffer, sent: Buffer): Buffer {
  const copy = Buffer.from(reply)
  copy.writeInt32LE(sent.readInt32LE(4), 8)
  return copy
}
