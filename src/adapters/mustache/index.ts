export { loadMailTemplates } from './mail-templates.js'
