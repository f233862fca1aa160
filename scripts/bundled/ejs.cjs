// Replaces ejs in the bundle: ejs makes code from strings, which hardened Node forbids. oclif fills in templates of help
// with it, and ours hold names alone, such as `<%= config.bin %>`.
exports.render = (template, values) =>
  template.replace(/<%= *([\w.]+) *%>/g, (_, path) =>
    path.split('.').reduce((value, name) => value[name], values),
  )
