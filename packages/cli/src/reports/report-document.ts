// The report of a check as a document to keep: what `bcast check --format` writes and what the page gives to download.
import { type CheckReport, reportJson, reportMarkdown, reportSarif, type SarifOptions } from '@bcast/onnx'

/** What a document can be. */
export type ReportFormat = 'json' | 'sarif' | 'md'

/** The text of the document. */
export function reportDocument(report: CheckReport, format: ReportFormat, options: SarifOptions): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(reportJson(report), null, 2)}\n`
    case 'sarif':
      return `${JSON.stringify(reportSarif(report, options), null, 2)}\n`
    case 'md':
      return reportMarkdown(report)
  }
}
