import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { BSON } from 'mongodb'

const OP_REPLY = 1
const OP_MSG = 2013
const HEADER = 16
/** MongoDB 4.0, which is two releases older than the oldest server that the driver supports. */
const HELLO = {
  ismaster: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 7,
  readOnly: false,
  ok: 1,
}

export type OldServer = { readonly host: string; close(): Promise<void> }

/**
 * Starts a server that answers every command with MongoDB 4.0's greeting, because drivers send such a server nothing
 * else.
 */
export async function startOldServer(): Promise<OldServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    let pending = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes])
      while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
        const length = pending.readInt32LE(0)
        socket.write(replyTo(pending.subarray(0, length)))
        pending = pending.subarray(length)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** The greeting arrives as an OP_QUERY and all later commands arrive as OP_MSG; each needs a reply in its own format. */
function replyTo(request: Buffer): Buffer {
  const document = Buffer.from(BSON.serialize(HELLO))
  const modern = request.readInt32LE(12) === OP_MSG
  // The format of OP_MSG: flags and a section of kind 0. The format of OP_REPLY: flags, cursor ID, starting position, and one document.
  const lead = modern ? Buffer.alloc(5) : Buffer.alloc(20)
  if (!modern) lead.writeInt32LE(1, 16)
  const header = Buffer.alloc(HEADER)
  header.writeInt32LE(HEADER + lead.length + document.length, 0)
  header.writeInt32LE(request.readInt32LE(4), 8)
  header.writeInt32LE(modern ? OP_MSG : OP_REPLY, 12)
  return Buffer.concat([header, lead, document])
}
