/** The source code of bcryptjs as one CommonJS script. The build script generates this module. */
export declare const BCRYPTJS: string
