// The part of uqr that Kennel uses. The build script generates this module.

/** Returns the QR code as an SVG image. */
export declare function renderSVG(
  text: string,
  options: {
    /** The error correction level; L is the lowest. */
    readonly ecc: 'L' | 'M' | 'Q' | 'H'
    /** In modules. */
    readonly border: number
    readonly pixelSize: number
  },
): string
