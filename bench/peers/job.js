import { text } from 'node:stream/consumers'

/** Reads the inputs of a program of this folder: the peer as its argument, the rest on standard input. */
export async function openPeer(passwordHasher) {
  const { open } = await import(`./${process.argv[2]}.js`)
  const job = JSON.parse(await text(process.stdin))
  return { peer: await open({ ...job, ...(passwordHasher && { hashPassword: passwordHasher }) }), job }
}
