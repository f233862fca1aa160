// Replaces ejs in the bundle: ejs generates code from strings, which hardened Node forbids. oclif fills in help templates with ejs, and our
// templates contain only names, such as `<%= config.bin %>`.
exports.render = (template, values) =>
  template.replace(/<%= *([\w.]+) *%>/g, (_, path) =>
    path.split('.').reduce((value, name) => value[name], values),
  )
