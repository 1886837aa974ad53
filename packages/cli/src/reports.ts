// What the page shares with the command line about models: the documents that a check is written to.
export { type ReportFormat, reportDocument } from './reports/report-document.ts'
