/** bcryptjs as one CommonJS script. The build writes the module. */
export declare const BCRYPTJS: string
