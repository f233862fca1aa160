import type { Chunks } from './arriving.js'

type Unpacking = { readonly readable: Chunks; readonly writable: WritableStream<Uint8Array<ArrayBuffer>> }

/** What arrives in this content coding, unpacked; `undefined` for a coding that is not known here. */
export function unpacked(coding: string, arriving: () => Chunks): Chunks | undefined {
  if (coding === 'identity') return arriving()
  const unpacking = coding === 'br' ? brotli() : inflating(coding)
  return unpacking && arriving().pipeThrough(unpacking)
}

function inflating(coding: string): Unpacking | undefined {
  return coding === 'gzip' || coding === 'deflate' ? new DecompressionStream(coding) : undefined
}

/** Where the platform has no stream for Brotli, as Node has none before 24, what has Node's zlib takes that. */
function brotli(): Unpacking | undefined {
  try {
    return new DecompressionStream('brotli' as 'gzip')
  } catch {
    const { process: node } = globalThis as { process?: Partial<NodeJS.Process> }
    const [zlib, stream] = [node?.getBuiltinModule?.('node:zlib'), node?.getBuiltinModule?.('node:stream')]
    if (!zlib || !stream) return undefined
    const unpacking = zlib.createBrotliDecompress()
    // It may find out that its bytes are no Brotli after its reader has left: without a listener that would end the process.
    unpacking.on('error', () => undefined)
    return stream.Duplex.toWeb(unpacking)
  }
}
