// Owns how the pages look: the theme of VitePress with system fonts, and live programs.

import DefaultTheme from 'vitepress/theme-without-fonts'
import LiveProgram from './LiveProgram.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('LiveProgram', LiveProgram)
  },
}
