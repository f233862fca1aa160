/** The files of `templates/mail` by their names. The build writes the module, so that a bundle has them inside. */
export declare const OWN_TEMPLATES: Readonly<Record<string, string>>
