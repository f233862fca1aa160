import { walkSection } from './walk-section.js'

walkSection('http')
