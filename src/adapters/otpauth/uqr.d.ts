// The part of uqr that Kennel uses. The build writes the module.

/** Returns the QR code as SVG. */
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
