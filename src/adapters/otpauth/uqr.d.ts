// What is used of uqr, which the build writes beside this.

/** The QR code of this text as the text of an SVG image. */
export declare function renderSVG(
  text: string,
  options: {
    /** How much may be damaged: L is the least. */
    readonly ecc: 'L' | 'M' | 'Q' | 'H'
    /** In modules. */
    readonly border: number
    readonly pixelSize: number
  },
): string
