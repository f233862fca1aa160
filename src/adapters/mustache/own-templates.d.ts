/** The files in `templates/mail`, keyed by file name. The build script generates this module, so that a bundle contains the templates. */
export declare const OWN_TEMPLATES: Readonly<Record<string, string>>
