// What is imported and is no module of the language.
declare module 'virtual:palette.css'
declare module '*.css'
