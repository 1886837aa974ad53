// Runs before anything is drawn: the theme that the reader chose, and that scripts work, so that what needs them is shown.
import { storedTheme } from '../stored-theme.ts'

const { dataset } = document.documentElement
const theme = storedTheme()
if (theme !== undefined) dataset['theme'] = theme
dataset['scripts'] = 'on'
