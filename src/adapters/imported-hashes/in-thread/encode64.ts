// Encodes bytes in the base64 variant of `crypt`, for phpass and SHA-crypt.

/** The 64 digits of `crypt`, from 0 to 63. */
export const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Encodes bytes as `crypt` does: each group of three bytes begins with the digit for its lowest bits. */
export function encode64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const three = bytes.subarray(at, at + 3)
    let value = three.reduceRight((sum, byte) => (sum << 8) | byte, 0)
    for (let digit = 0; digit <= three.length; digit += 1, value >>= 6) text += DIGITS.charAt(value & 63)
  }
  return text
}
